import './start.test.ts'

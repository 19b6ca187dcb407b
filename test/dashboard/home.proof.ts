import './home.test.ts'

import './testing-kit.test.ts'

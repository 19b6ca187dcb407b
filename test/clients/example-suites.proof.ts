import './example-suites.test.ts'

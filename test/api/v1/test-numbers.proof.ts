import './test-numbers.test.ts'

import './sandbox-numbers.test.ts'

import './account.test.ts'

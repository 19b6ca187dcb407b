import './search.test.ts'

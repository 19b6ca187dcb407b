import './listen.test.ts'

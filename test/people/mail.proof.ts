import './mail.test.ts'

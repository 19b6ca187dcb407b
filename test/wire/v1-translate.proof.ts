import './v1-translate.test.ts'

import './lost-answers.test.ts'

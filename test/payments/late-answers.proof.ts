import './late-answers.test.ts'

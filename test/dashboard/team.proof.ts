import './team.test.ts'

import './ephemeral.test.ts'

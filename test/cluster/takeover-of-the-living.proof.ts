import './takeover-of-the-living.test.ts'

import './crash-points.test.ts'

// Jest runs over the built package in dist/, without transforming anything.
export default {
  testEnvironment: 'node',
  transform: {},
  roots: ['<rootDir>/tests'],
  testMatch: ['**/tests/js/**/*.test.?(m|c)js', '**/tests/oracle/**/*.test.?(m|c)js'],
  moduleFileExtensions: ['mjs', 'js', 'cjs', 'json', 'node'],
  testTimeout: 60000,
};

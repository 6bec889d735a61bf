package app

// TakeWords is for the tests of what the front end gets.
var TakeWords = takeWords

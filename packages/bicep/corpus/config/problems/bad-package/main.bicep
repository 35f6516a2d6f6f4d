extension broken

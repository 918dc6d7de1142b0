// OpenCombine by Combine's name. Type aliases would not do: a public declaration of the file under test must
// not use a type of a module which that file does not import. (`@_exported` is not documented Swift; nobody
// links this.)

@_exported import OpenCombine

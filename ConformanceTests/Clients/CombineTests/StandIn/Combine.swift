// Exports OpenCombine under Combine's name. Type aliases are not enough: a public declaration may use only
// types of modules that its file imports. (`@_exported` is undocumented Swift, but no client links this
// module.)

@_exported import OpenCombine

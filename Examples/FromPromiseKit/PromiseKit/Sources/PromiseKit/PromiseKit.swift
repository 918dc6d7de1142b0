@_exported import PromiseKitTypes

@_exported import TroveMemory
@_exported import TroveStorage

import TestSupport
import TroveSortedArray
import TroveStorage

/// Every engine by its name, that of the example too.
package enum AnyEngine {
    package static let sortedArray = "sorted array"

    package static func open(_ name: String, _ path: String) throws -> any StorageBackend {
        if name == sortedArray { return try SortedArrayBackend(path: path) }
        guard let engine = Engine(rawValue: name) else { throw Inconsistency("there is no engine '\(name)'") }
        return try engine.open(path)
    }
}

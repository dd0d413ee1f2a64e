import Foundation

@testable import Trove

/// The objects of a library in memory, by which conditions are answered in plain Swift: a value behind a reference that leads nowhere is nil.
struct PlainLibrary {
    let library: RandomLibrary

    func composer(_ reference: Reference<Composer>?) -> Composer? { reference.flatMap { library.artists[$0.id] } }
    func disc(_ reference: Reference<Disc>?) -> Disc? { reference.flatMap { library.albums[$0.id] } }
    func piece(_ reference: Reference<Piece>?) -> Piece? { reference.flatMap { library.tunes[$0.id] } }
    func printing(_ reference: Reference<Printing>?) -> Printing? { reference.flatMap { library.editions[$0.id] } }

    /// The ids of the pieces of which a condition is true, ascending.
    func pieces(_ condition: (Piece) -> Bool) -> [Int] {
        library.tunes.values.filter(condition).map(\.id).sorted()
    }
}

/// Whether two values are in an order, which nil is in with nothing.
func ordered<Value: Comparable>(_ left: Value?, _ areInOrder: (Value, Value) -> Bool, _ right: Value) -> Bool {
    left.map { areInOrder($0, right) } ?? false
}

import Trove

/// A second keyspace of a sample store, with keys of many lengths.
@Model
package struct Note: Hashable {
    package var id: String
    package var text: String

    package static func sample(_ number: Int) -> Note {
        Note(id: "note \(number) " + String(repeating: "x", count: number * 7 % 190), text: "The text of note \(number)")
    }
}

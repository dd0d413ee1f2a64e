import Foundation
import Trove

/// What most of a sample store's records are: small and large ones, with every kind of part.
@Model
package struct Item: Hashable {
    package var id: Int
    package var title: String
    package var payload: Data
    package var tags: [String]
    package var rating: Double?

    /// The same number always makes the same item.
    package static func sample(_ number: Int, revision: Int = 0) -> Item {
        let size =
            switch number {
            // Too large for a page on every engine.
            case _ where number.isMultiple(of: 97): 20_000 + number * 7
            case _ where number.isMultiple(of: 13): 1_500 + number % 1_500
            default: 24 + number % 120
            }
        return Item(
            id: number, title: "Item \(number), revision \(revision)",
            payload: .seeded(number * 31 + revision, count: size),
            tags: (0..<number % 4).map { "tag \($0)" }, rating: number.isMultiple(of: 3) ? nil : Double(number) / 8)
    }
}

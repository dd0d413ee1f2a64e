import TestSupport
import Trove

@testable import TestModels

/// A store of several models, some of whose objects are in bags.
enum BagFixture {
    static func make(_ engine: Engine) throws -> StoreFixture {
        try StoreFixture(engine) { try ObjectStore($0, durability: .buffered, models: Song.self, Country.self, Edition.self) }
    }
}

extension Bag {
    /// The members' objects and documents as text, in order.
    func titles() throws -> [String] {
        try objects().map { object in
            switch object {
            case let song as Song: song.title
            case let country as Country: country.code
            case let edition as Edition: "\(edition.work) \(edition.number)"
            case let note as Document: try note.value(at: "title") ?? "untitled"
            default: "?"
            }
        }
    }
}

/// In which way of its own a bag's operation failed; empty when it did not.
func refusal(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch TroveError.bagNameTaken(let name) {
        return "taken \(name)"
    } catch TroveError.bagDeleted(let name, let id) {
        return "deleted \(name ?? "-") \(id)"
    } catch TroveError.foreignBag(let name, let id) {
        return "foreign \(name ?? "-") \(id)"
    } catch TroveError.danglingReference(let model, _) {
        return "dangling \(model)"
    } catch TroveError.invalidCollection(let name, _) {
        return "no collection \(name)"
    } catch {
        return "\(error)"
    }
}

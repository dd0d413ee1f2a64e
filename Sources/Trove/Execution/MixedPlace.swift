/// The place of an object in the order of a query of several models.
struct MixedPlace: Hashable {
    let sort: [UInt8]
    /// The name of its model.
    let model: String
    /// The bytes of its id.
    let key: [UInt8]

    init(sort: [UInt8], model: String, key: [UInt8]) {
        self.sort = sort
        self.model = model
        self.key = key
    }

    /// - Throws: ``TroveError/invalidToken(reason:)``.
    init(_ place: QueryPlace) throws {
        var rest = place.key
        guard rest.count >= 2 else { throw TroveError.invalidToken(reason: "it has no model") }
        let count = Int(rest.removeFirst()) << 8 | Int(rest.removeFirst())
        guard count <= rest.count else { throw TroveError.invalidToken(reason: "it has no model") }
        self.init(sort: Array(place.sort), model: String(decoding: rest.prefix(count), as: UTF8.self), key: Array(rest.dropFirst(count)))
    }

    /// The same as one query has it: the name's size and the name before the id.
    var queryPlace: QueryPlace {
        let name = Array(model.utf8)
        return QueryPlace(sort + [UInt8(name.count >> 8), UInt8(truncatingIfNeeded: name.count)] + name + key, sortSize: sort.count)
    }

    /// Negative when a model's objects come before this one among equal ones, zero when it is of that model, positive when they come behind it.
    func compareModel(_ name: String) -> Int { Array(name.utf8).compare(to: Array(model.utf8)) }
}

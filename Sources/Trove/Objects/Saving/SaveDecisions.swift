/// What a save does about one object.
enum Settlement: Sendable {
    /// Stores its record, or another one.
    case write([UInt8]?)
    /// Deletes its record.
    case delete
    /// Leaves what is stored, which is this; nil when there is nothing.
    case keep(StoredVersion?)
}

/// What is done about an object that is inserted and whose id is taken.
struct SettledInsertion {
    let settlement: Settlement
    /// The record that is there.
    let stored: [UInt8]?
}

/// What is known in a transaction of the record that an entry of a cut is about.
enum KnownRecord: Sendable {
    /// Nothing.
    case unknown
    /// There is none.
    case none
    /// There is one, whose bytes nobody needs.
    case unread
    /// It is this.
    case some([UInt8])
}

/// What a save's transaction found out before it writes, by the positions of the cut's entries.
struct SaveDecisions: Sendable {
    /// What is done otherwise than the cut says.
    private(set) var settlements: [Int: Settlement] = [:]
    /// What is stored.
    var stored: [KnownRecord]

    init(_ cut: ChangeCut) {
        stored = [KnownRecord](repeating: .unknown, count: cut.entries.count)
    }

    func settlement(at position: Int) -> Settlement? { settlements.isEmpty ? nil : settlements[position] }

    /// Takes down that a record is as the context knows it.
    mutating func noteStored(_ bytes: [UInt8], at position: Int) { stored[position] = .some(bytes) }

    mutating func noteUnread(at position: Int) { stored[position] = .unread }

    /// - Parameter image: the record that the object's changes are changes of, which mostly is the one that is stored and then kept once.
    mutating func note(_ settlement: Settlement?, _ bytes: [UInt8]?, image: [UInt8]?, at position: Int) {
        if let settlement { settlements[position] = settlement }
        stored[position] = bytes.map { .some(image == $0 ? image ?? $0 : $0) } ?? .none
    }

    mutating func note(_ insertion: SettledInsertion, at position: Int) {
        note(insertion.settlement, insertion.stored, image: nil, at: position)
    }
}

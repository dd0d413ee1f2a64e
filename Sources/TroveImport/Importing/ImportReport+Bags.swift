import Trove

extension ImportReport {
    /// What became of one bag of the source.
    ///
    /// ```swift
    /// for bag in report.bags where bag.storedName != bag.name { print(bag.name ?? "", "is", bag.storedName ?? "") }
    /// ```
    public struct Bag: Sendable, Codable, Hashable {
        /// What an import has done with a bag.
        public enum Outcome: String, Sendable, Codable {
            /// It is new in the store.
            case stored
            /// It took the place of the stored one.
            case replaced
            /// The stored one stayed, with the members that it had.
            case skipped
            /// It is not in the store; a fault of the report says why.
            case refused
        }

        /// Its key in the store, the same in each import.
        public let id: ObjectID
        /// Its name in the source; nil where it has none.
        public let name: String?
        /// What was done with it.
        public internal(set) var outcome: Outcome
        /// Its name in the store: with a number behind it where another bag has the name. nil where it has none, or was not stored.
        public internal(set) var storedName: String?
        /// The number of members that it was stored with.
        public internal(set) var memberCount = 0
        /// The members that it has in the source and not in the store, in their order.
        public internal(set) var missing: [MissingMember] = []
        /// Whether what was read back is what was stored: the name, and the members in their order. nil where nothing was stored.
        public internal(set) var isVerified: Bool?

        init(_ bag: SourceBag, _ outcome: Outcome) {
            (id, name, self.outcome) = (bag.id.objectID, bag.name, outcome)
        }
    }

    /// A member of a bag that was left out.
    public struct MissingMember: Sendable, Codable, Hashable {
        /// Why a member was left out.
        public enum Reason: String, Sendable, Codable {
            /// Neither the source nor the store has it.
            case notFound
            /// The source has it, and it could not be stored.
            case refused
            /// It is a bag, and a bag contains no bags.
            case isBag
        }

        /// Its key in the source.
        public let key: String
        /// Why it was left out.
        public let reason: Reason
    }

    /// The collections, and behind them all bags as one.
    var counted: [Collection] {
        if bags.isEmpty { return collections }
        func count(_ outcome: Bag.Outcome) -> Int { bags.count { $0.outcome == outcome } }
        var all = Collection("bags")
        (all.read, all.replaced, all.skipped, all.refused) = (bags.count, count(.replaced), count(.skipped), count(.refused))
        all.stored = count(.stored) + all.replaced
        let verified = bags.compactMap(\.isVerified)
        if !verified.isEmpty { all.isVerified = verified.allSatisfy(\.self) }
        return collections + [all]
    }
}

extension ImportReport.MissingMember: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .notFound: "\(key) (not there)"
        case .refused: "\(key) (not stored)"
        case .isBag: "\(key) (a bag)"
        }
    }
}

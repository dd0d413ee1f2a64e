import SwiftSyntax

extension ModelParser {
    /// Reports indexes that are declared twice, or beside a list written by hand.
    mutating func checkIndexes(of subject: ModelSubject, isHandwritten: Bool, identity: Identity?) {
        let name = subject.name.plainName
        if isHandwritten {
            for index in parsedIndexes {
                report(
                    .handwrittenIndexes,
                    "'\(name)' has a list of 'indexes' of its own, so this one is not made; write it there, or remove that list",
                    at: index.place, fixIt: index.removal)
            }
        }
        for (position, index) in parsedIndexes.enumerated() {
            let others = parsedIndexes.prefix(position)
            let parts = index.declaration.parts.map { "'\($0.meaning)'" }.joined(separator: ", ")
            if index.declaration.kind == .unique, index.declaration.isOf(identity) {
                report(.needlessIndex, "\(parts) is the id of '\(name)' and unique already; remove this", at: index.place, fixIt: index.removal)
            } else if others.contains(where: { $0.declaration.isSame(as: index.declaration) }) {
                report(.repeatedIndex, "'\(name)' has this index of \(parts) already; remove this one", at: index.place, fixIt: index.removal)
            } else if let taken = index.declaration.name, others.contains(where: { $0.declaration.name == taken }) {
                report(.takenIndexName, "another index of '\(name)' has the name '\(taken)'", at: index.place)
            }
            let isServed = index.declaration.kind == .ordered && index.declaration.arguments.isEmpty
            let hasUnique = parsedIndexes.contains { $0.declaration.kind == .unique && $0.declaration.hasSameParts(as: index.declaration) }
            if isServed, hasUnique {
                report(
                    .needlessIndex, "the unique index of \(parts) serves queries too; remove this one", at: index.place,
                    fixIt: index.removal)
            }
        }
    }
}

extension IndexDeclaration {
    fileprivate func isOf(_ identity: Identity?) -> Bool {
        guard let identity else { return false }
        return parts.map(\.meaning) == identity.parts.map(\.name)
    }
}

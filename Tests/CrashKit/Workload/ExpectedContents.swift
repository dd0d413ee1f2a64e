import Foundation
import Trove

/// What a store should hold after some transactions: a plain dictionary of everything.
struct ExpectedContents {
    private(set) var cells: [Int: CrashCell] = [:]
    private(set) var blobs: [String: Data] = [:]

    mutating func apply(_ plan: TransactionPlan) {
        for step in plan.steps {
            switch step {
            case .save(let cell): cells[cell.id] = cell
            case .delete(let id): delete(id)
            case .setBlob(let name, let data): blobs[name] = data
            case .deleteBlob(let name): blobs[name] = nil
            case .takenBack: break
            }
        }
    }

    /// A reference to a cell that is deleted is taken out.
    private mutating func delete(_ id: Int) {
        guard cells.removeValue(forKey: id) != nil else { return }
        for other in cells.values where other.neighbour?.id == id { cells[other.id]?.neighbour = nil }
    }

    /// - Throws: ``ContentsError`` when the snapshot holds anything else.
    func compare(with snapshot: ReadTransaction) throws {
        try compare(snapshot.fetch(CrashCell.self).all(), "cells")
        let all = try snapshot.blobNames()
        for name in all where CrowdUpload.isOne(name) { if let bytes = try snapshot.blob(named: name) { try CrowdUpload.check(bytes, name) } }
        let names = all.filter { !CrowdUpload.isOne($0) }
        guard names == blobs.keys.sorted() else { throw ContentsError("blobs \(names) instead of \(blobs.keys.sorted())") }
        for (name, data) in blobs {
            guard try snapshot.blob(named: name) == data else { throw ContentsError("another value of '\(name)'") }
        }
        for group in 0..<5 {
            try compare(snapshot.fetch(CrashCell.self).where { $0.group == group }.all(), "cells of group \(group)") { $0.group == group }
        }
    }

    private func compare(_ found: [CrashCell], _ what: String, _ isMeant: (CrashCell) -> Bool = { _ in true }) throws {
        let found = found.sorted { $0.id < $1.id }
        let expected = cells.values.filter(isMeant).sorted { $0.id < $1.id }
        if found == expected { return }
        let (foundIDs, expectedIDs) = (found.map(\.id), expected.map(\.id))
        guard foundIDs == expectedIDs else { throw ContentsError("\(what) \(foundIDs) instead of \(expectedIDs)") }
        let different = zip(found, expected).filter { $0 != $1 }.map(\.0.id)
        throw ContentsError("\(what): another version of \(different)")
    }
}

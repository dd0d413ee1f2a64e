import Foundation
import Trove
import TroveStoreTools

/// What tells the effects of a change, the text of a form or the rows of a page from others.
struct EffectDigest {
    private var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    /// The ids of new objects, and the bytes of their keys: they may be others each time.
    private var newIDs: Set<StoredValue> = []
    private var newKeys: [Data] = []

    /// That of a text.
    static func of(_ text: String) -> String {
        var digest = EffectDigest()
        digest.add(text.utf8)
        return digest.text
    }

    /// That of changes with their records: of the values that differ, but for dates of saves and ids that are made anew.
    static func of(_ changes: [RecordedChange], _ models: [StoredModel]) throws -> String {
        var digest = EffectDigest()
        for change in changes where change.kind == .inserted {
            switch change.id {
            case .objectID, .uuid:
                digest.newIDs.insert(change.id)
                digest.newKeys.append(Data(change.key))
            default: break
            }
        }
        func precedes(_ left: RecordedChange, _ right: RecordedChange) -> Bool {
            let (first, second) = ((left.kind.rawValue, left.modelName), (right.kind.rawValue, right.modelName))
            return first == second ? left.kind != .inserted && left.key.lexicographicallyPrecedes(right.key) : first < second
        }
        let models = Dictionary(try models.map { ($0.name, (model: $0, dates: try $0.savedDates)) }, uniquingKeysWith: { first, _ in first })
        for change in changes.sorted(by: precedes) {
            digest.add(change.kind.rawValue.utf8)
            digest.add(change.modelName.utf8)
            if change.kind != .inserted { digest.add(change.key) }
            guard let (model, dates) = models[change.modelName] else { continue }
            let difference = RecordDifference(from: change.old, to: change.new, of: model)
            for values in [difference.before, difference.after] {
                for (name, value) in values where !dates.contains(name) { try digest.add(name, digest.withoutNewIDs(value)) }
                digest.add([])
            }
        }
        return digest.text
    }

    private var text: String { String(hash, radix: 16) }

    private mutating func add(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        hash = (hash ^ 0xFF) &* 0x0000_0100_0000_01B3
    }

    private mutating func add(_ name: String, _ value: StoredValue) throws {
        add(name.utf8)
        add(try value.json().utf8)
    }

    /// A value in which references to new objects are all the same.
    private func withoutNewIDs(_ value: StoredValue) -> StoredValue {
        if newIDs.isEmpty { return value }
        if newIDs.contains(value) { return .string("new") }
        switch value {
        case .data(let data):
            // A reference to an object of any model ends with the key.
            guard let key = newKeys.first(where: { data.suffix($0.count) == $0 }) else { return value }
            return .data(data.dropLast(key.count))
        case .array(let elements):
            // A set is in the order of the bytes, so a new id has another place each time: the new ones come last.
            let shown = elements.map { (isNew: $0, value: withoutNewIDs($0)) }.map { (isNew: $0.isNew != $0.value, value: $0.value) }
            return .array(shown.filter { !$0.isNew }.map(\.value) + shown.filter(\.isNew).map(\.value))
        case .object(let fields): return .object(Dictionary(fields.map { ($0.key, withoutNewIDs($0.value)) }, uniquingKeysWith: { first, _ in first }))
        default: return value
        }
    }
}

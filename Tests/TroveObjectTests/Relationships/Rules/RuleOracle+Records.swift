import Foundation
import Testing

@testable import Trove

/// The oracle's objects as the store has them, and back.
extension RuleOracle.Object {
    /// Tags have ids of text, some so long that the engine's keys are shortened forms of them.
    var tagID: String {
        let name = "t" + (id < 10 ? "0" : "") + "\(id)"
        return id % 4 == 3 ? name + String(repeating: "-", count: 600) : name
    }

    var keyBytes: [UInt8] { model == "tag" ? tagID.keyBytes : id.keyBytes }

    var reference: AnyReference { AnyReference(modelName: model, keyBytes: keyBytes) }

    init(_ reference: AnyReference) throws {
        model = reference.modelName
        if model == "tag" {
            id = try #require(Int(String(keyBytes: reference.keyBytes).prefix(3).dropFirst()))
        } else {
            id = try Int(keyBytes: reference.keyBytes)
        }
    }

    /// A reference to it as a relationship stores it.
    func stored(anyModel: Bool) -> StoredValue {
        if anyModel { return .data(Data(reference.storedBytes)) }
        return model == "tag" ? .string(tagID) : .int(Int64(id))
    }
}

extension RuleOracle {
    /// The record of an object with these values.
    func record(_ object: Object, _ values: Values, _ layout: RecordLayout) -> StoredRecord {
        let stored = layout.fields.map { field -> StoredValue in
            guard let rule = rules(of: object.model).first(where: { $0.field.name == field.name }) else { return .null }
            let entries = values[field.name] ?? []
            let references = entries.map { $0.target.stored(anyModel: rule.target == nil) }
            switch rule.shape {
            case .optionalOne, .requiredOne: return references.first ?? .null
            case .ordered, .set: return .array(references)
            case .keyed: return .object(Dictionary(uniqueKeysWithValues: zip(entries.map(\.name), references)))
            }
        }
        return StoredRecord(key: object.keyBytes, layout: layout, values: stored)
    }

    /// All records of a store, as the oracle has them.
    func records(in transaction: ReadTransaction) throws -> [Object: Values] {
        var found: [Object: Values] = [:]
        for name in Set(rules.map(\.field.model)) where try transaction.modelNames().contains(name) {
            try transaction.forEachStoredRecord(of: name) { record, _ in
                let object = try Object(AnyReference(modelName: name, keyBytes: record.key))
                var values: Values = [:]
                for rule in rules(of: name) { values[rule.field.name] = try entries(record[rule.field.name] ?? .null, rule) }
                found[object] = values.filter { !$0.value.isEmpty }
            }
        }
        return found
    }

    private func entries(_ value: StoredValue, _ rule: Rule) throws -> [Entry] {
        func target(_ value: StoredValue) throws -> Object {
            switch value {
            case .int(let id): Object(model: try #require(rule.target), id: Int(id))
            case .string(let id): try Object(AnyReference(modelName: "tag", keyBytes: id.keyBytes))
            case .data(let bytes): try Object(AnyReference(storedBytes: [UInt8](bytes)))
            default: throw TroveError.corruptValue(reason: "\(value)")
            }
        }
        switch value {
        case .null: return []
        case .array(let values):
            let entries = try values.map { Entry(target: try target($0)) }
            return rule.shape == .set ? entries.sorted { $0.target < $1.target } : entries
        case .object(let values): return try values.sorted { $0.key < $1.key }.map { Entry(name: $0.key, target: try target($0.value)) }
        default: return [Entry(target: try target(value))]
        }
    }

    /// What the oracle has, in the form of ``records(in:)``.
    var normalised: [Object: Values] {
        records.mapValues { values in
            Values(uniqueKeysWithValues: values.filter { !$0.value.isEmpty }.map { ($0.key, $0.value) })
        }
        .reduce(into: [:]) { all, entry in
            var values = entry.value
            for rule in rules(of: entry.key.model) where rule.shape == .set || rule.shape == .keyed {
                values[rule.field.name]?.sort { ($0.name, $0.target) < ($1.name, $1.target) }
            }
            all[entry.key] = values
        }
    }
}

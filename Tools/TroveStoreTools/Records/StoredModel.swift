import Foundation
import Trove

/// A model or collection as a store's catalogue has it.
package struct StoredModel {
    package let name: String
    /// The layouts that records have, the latest first.
    package let layouts: [StoredLayout]
    package let isCollection: Bool
    package let ids: StoredIDs
    /// The type of the ids in Swift's writing.
    package let idType: String

    /// The fields of all layouts, those of the latest first; without those that have another name there.
    package var fields: [(name: String, type: FieldType)] {
        var known: Set<String> = []
        return layouts.flatMap { layout in
            let renamed = layouts[0].renamedFields(of: layout)
            return layout.fields.filter { !renamed.contains($0.name) }
        }.filter { known.insert($0.name).inserted }
    }

    /// Whether a layout has fields that are encrypted.
    package var hasEncryptedFields: Bool { layouts.contains { !$0.encryptedFields.isEmpty } }

    /// The properties of a model, or the attributes of documents, that a save sets to its date.
    package var savedDates: Set<String> {
        get throws {
            guard let layout = try layouts.first?.jsonValue() else { return [] }
            var names: Set<String> = []
            if case .object(let dates)? = layout.value(at: "dates") { for case .string(let name) in dates.values { names.insert(name) } }
            if case .array(let fields)? = layout.value(at: "fields") {
                for field in fields.array {
                    guard case .string(let name)? = field.value(at: "name"), case .array(let rules)? = field.value(at: "saving") else { continue }
                    if rules.array.contains(where: { $0 == .string("creationDate") || $0 == .string("modificationDate") }) { names.insert(name) }
                }
            }
            return names
        }
    }

    /// The key of an id as it was written: as find shows it, as its JSON, or as the bytes of the key, which errors of the library show.
    ///
    /// - Throws: ``StoreToolError/notAnID(text:model:type:)``.
    package func key(of text: String) throws -> [UInt8] {
        if let key = ids.key(of: .string(text)) { return key }
        if let key = Self.bytes(of: text), shownID(of: key) != nil { return key }
        let value: StoredValue
        do {
            value = try StoredValue(json: text)
        } catch TroveError.invalidJSON {
            throw StoreToolError.notAnID(text: text, model: name, type: idType)
        }
        guard let key = ids.key(of: value) else { throw StoreToolError.notAnID(text: text, model: name, type: idType) }
        return key
    }

    /// The id as it was written.
    ///
    /// - Throws: ``StoreToolError/notAnID(text:model:type:)``.
    package func id(of text: String) throws -> StoredValue { try ids.value(of: key(of: text)) }

    /// A key as `find` shows its id and commands take it; nil when the bytes are no key of the model.
    package func shownID(of key: [UInt8]) -> String? {
        do {
            return try CellText.plain(ids.value(of: key))
        } catch {
            return nil
        }
    }

    /// The bytes that digits as `0x0192` stand for; nil when the text has others.
    package static func bytes(of text: String) -> [UInt8]? {
        guard text.hasPrefix("0x"), let bytes = [UInt8](hexadecimal: text.dropFirst(2)), !bytes.isEmpty else { return nil }
        return bytes
    }

    /// The model's name that ids and names are read by in an answer.
    package static let idName = "$id"
}

/// All models of a store, in the order of their names.
package struct StoreModels {
    package let all: [StoredModel]

    package init(_ store: ObjectStore) throws { self = try store.read { try StoreModels($0) } }

    package init(_ transaction: ReadTransaction) throws {
        let collections = Set(try transaction.collectionNames())
        let layouts = try transaction.layouts().filter { !$0.isRetired && !$0.modelName.hasPrefix("$") }
        all = Dictionary(grouping: layouts, by: \.modelName).compactMap { name, layouts in
            let latest = layouts.reversed().sorted { $0.version > $1.version }
            return latest.first.map {
                StoredModel(name: name, layouts: latest, isCollection: collections.contains(name), ids: $0.ids, idType: $0.idType)
            }
        }.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// What the library calls the model of bags, which is none of anybody's.
    package static let bags = "$bags"

    /// The id of an object, or of a bag; the bytes of its key where the store does not have the model, whose objects a bag may have all the same.
    package func id(of reference: AnyReference) throws -> StoredValue {
        if reference.modelName == Self.bags { return .objectID(try ObjectID(keyBytes: reference.keyBytes)) }
        guard let model = all.first(where: { $0.name == reference.modelName }) else { return .data(Data(reference.keyBytes)) }
        return try model.ids.value(of: reference.keyBytes)
    }

    /// The model of a name.
    ///
    /// - Throws: ``StoreToolError/noSuchModel(name:known:)``.
    package subscript(name: String) -> StoredModel {
        get throws {
            guard let model = all.first(where: { $0.name == name }) else { throw StoreToolError.noSuchModel(name: name, known: all.map(\.name)) }
            return model
        }
    }
}

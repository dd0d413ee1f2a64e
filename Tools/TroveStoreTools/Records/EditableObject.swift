import Foundation
import Trove

/// An object of a model or a document of a collection, as commands change one.
package enum EditableObject {
    case object(ModelDocument)
    case document(Document)

    /// The object with an id; nil when there is none.
    package init?(_ id: StoredValue, of model: StoredModel, in transaction: ReadTransaction) throws {
        if model.isCollection {
            guard case .objectID(let id) = id, let document = try transaction.documents(model.name).fetch(id: id) else { return nil }
            self = .document(document)
        } else {
            guard let object = try transaction.documents(of: model.name).fetch(id: id) else { return nil }
            self = .object(object)
        }
    }

    /// Whether there is an object with an id, without reading it: a damaged one can be deleted.
    package static func exists(_ id: StoredValue, of model: StoredModel, in transaction: ReadTransaction) throws -> Bool {
        guard model.isCollection else { return try transaction.documents(of: model.name).contains(id: id) }
        guard case .objectID(let id) = id else { return false }
        return try transaction.documents(model.name).contains(id: id)
    }

    /// A new one of JSON: an object or a document as find shows it, or the value of a document.
    ///
    /// - Throws: ``StoreToolError/notJSON(reason:)``; ``TroveError/invalidProperty(model:property:reason:)`` for a document of another collection, or with an
    ///   id that is none.
    package init(json text: String, of model: StoredModel) throws {
        self = try Self.reading { () throws -> EditableObject in
            guard model.isCollection else { return .object(try ModelDocument(json: text)) }
            return .document(try Self.isWritten(text) ? Self.written(text, of: model) : Document(json: text))
        }
    }

    /// Whether JSON begins with what is told of a document and is none of its values. Their own names that begin with `$` have a second one.
    private static func isWritten(_ text: String) -> Bool {
        let rest = text.drop(while: \.isWhitespace)
        guard rest.first == "{" else { return false }
        let name = rest.dropFirst().drop(while: \.isWhitespace)
        return ["$model", "$id", "$class", "$value"].contains { name.hasPrefix("\"\($0)\"") }
    }

    /// A document with what is told of it.
    private static func written(_ text: String, of model: StoredModel) throws -> Document {
        let written = try WrittenObject.all(json: text)[0]
        func wrong(_ property: String, _ reason: String) -> TroveError { .invalidProperty(model: model.name, property: property, reason: reason) }
        guard written.model.isEmpty || written.model == model.name else { throw wrong("$model", "is \(written.model), another collection or a model") }
        guard let id = written.id else { return Document(written.value, className: written.className) }
        guard let key = model.ids.key(of: id), case .objectID(let id) = try model.ids.value(of: key) else { throw wrong("$id", "takes an ObjectID") }
        return Document(written.value, id: id, className: written.className)
    }

    /// As JSON for people to change.
    package func json() throws -> String {
        switch self {
        case .object(let object): try object.json(.pretty)
        case .document(let document): try document.json(.pretty)
        }
    }

    /// The same with what changed JSON has.
    ///
    /// - Throws: ``TroveError/invalidProperty(model:property:reason:)`` when it is of another object.
    package func replaced(byJSON text: String) throws -> EditableObject {
        switch self {
        case .document(var document):
            document.value = try Self.reading { try StoredValue(json: text) }
            return .document(document)
        case .object(var object):
            let read = try Self.reading { try ModelDocument(json: text) }
            guard read.id == nil || read.id == object.id else {
                throw TroveError.invalidProperty(model: object.modelName, property: "$id", reason: "cannot change; insert another object and delete this one")
            }
            guard read.modelName.isEmpty || read.modelName == object.modelName else {
                throw TroveError.invalidProperty(model: object.modelName, property: "$model", reason: "cannot change")
            }
            object.value = read.value
            return .object(object)
        }
    }

    /// Runs `body`, which reads JSON that a person wrote.
    ///
    /// - Throws: ``StoreToolError/notJSON(reason:)``.
    private static func reading<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as TroveError {
            guard case .invalidJSON = error else { throw error }
            throw StoreToolError.notJSON(reason: "\(error)")
        }
    }

    /// Sets what an assignment as `year=1959` says.
    ///
    /// - Throws: ``StoreToolError/notAnAssignment(text:)``, ``StoreToolError/notSettable(path:advice:)``.
    package mutating func set(_ assignment: Assignment, _ model: StoredModel) throws { try set(assignment.path, to: assignment.value, model) }

    /// Takes a value away: an attribute of a document, an element of a list; a property of a model becomes nil.
    package mutating func unset(_ path: DocumentPath) throws {
        switch self {
        case .document(var document):
            document.value.remove(at: path)
            self = .document(document)
        case .object(var object):
            if path.steps.count == 1 { try object.value.set(path, to: .null) } else { object.value.remove(at: path) }
            self = .object(object)
        }
    }

    /// What stands at a path; nil where nothing does.
    package func value(at path: DocumentPath) -> StoredValue? {
        switch self {
        case .document(let document): document.value.value(at: path)
        case .object(let object): object.value.value(at: path)
        }
    }

    /// Sets a value as it was written: a text, where a text belongs there, else what its JSON is.
    ///
    /// - Throws: ``StoreToolError/notJSON(reason:)`` for what begins with a quote, as JSON's texts do, and is no JSON.
    package mutating func set(_ path: DocumentPath, to text: String, _ model: StoredModel) throws {
        switch self {
        case .document(var document):
            try document.value.set(path, to: Self.value(text, for: nil))
            self = .document(document)
        case .object(var object):
            let type = Self.type(at: path, of: model, present: object.value.value(at: path))
            try object.value.set(path, to: Self.value(text, for: type))
            self = .object(object)
        }
    }

    /// The type of the value at a path, without optional and lazy layers; nil where only the value tells it. The catalogue does not tell of the inside of a
    /// `Codable` value, and the program that has its type reads nothing but a text where a text stands.
    private static func type(at path: DocumentPath, of model: StoredModel, present: StoredValue?) -> FieldType? {
        guard case .name(let name)? = path.steps.first, let field = model.fields.first(where: { $0.name == name }) else { return nil }
        var type = bare(field.type)
        for step in path.steps.dropFirst() {
            switch (type, step) {
            case (.array(let element), .position), (.set(let element), .position): type = bare(element)
            case (.dictionary(.string, let value), .name): type = bare(value)
            default:
                // A `StoredValue` is of any type, as what a document has.
                if type != StoredValue.fieldType, case .string? = present { return .string }
                return nil
            }
        }
        return type
    }

    private static func bare(_ type: FieldType) -> FieldType {
        switch type {
        case .optional(let wrapped), .lazy(let wrapped): bare(wrapped)
        default: type
        }
    }

    /// A property as it is written to be set again. A text with characters that cannot be seen is JSON, which has escapes for them.
    ///
    /// - Parameter isText: whether a text belongs there.
    package func text(of property: String, isText: Bool) throws -> String {
        let whole: StoredValue =
            switch self {
            case .document(let document): document.value
            case .object(let object): object.value
            }
        guard case .object(let fields) = whole, let value = fields[property] else { return "null" }
        if isText, case .string(let text) = value, text != "null", text.unicodeScalars.first != "\"",
            !text.unicodeScalars.contains(where: { TerminalText.isUnsafe($0) && $0 != "\n" })
        {
            return text
        }
        var bytes: [UInt8] = []
        try JSONText(isForTerminal: true).append(value, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// - Parameter type: that of the property that gets the value; nil where only the value tells it.
    /// - Throws: ``StoreToolError/notJSON(reason:)`` for what begins with a quote and is no JSON.
    private static func value(_ text: String, for type: FieldType?) throws -> StoredValue {
        // By scalars: a quote with an accent is a quote to JSON.
        if type == .string, text != "null", text.unicodeScalars.first != "\"" { return .string(text) }
        do {
            let value = try StoredValue(json: text)
            // JSON alone would have rounded the digits to a `Double`, which these types do not take.
            switch (type, value) {
            case (.decimal, .double): return try StoredValue(json: "{\"$decimal\": \"\(text)\"}")
            case (.float, .double), (.float, .int): return try StoredValue(json: "{\"$float\": \(text)}")
            case (.double, .int(let number)): return .double(Double(number))
            case (.duration, .double), (.duration, .int): return try StoredValue(json: "{\"$duration\": \"\(text)\"}")
            default: return value
            }
        } catch let error as TroveError {
            guard case .invalidJSON = error else { throw error }
            if text.unicodeScalars.first == "\"" { throw StoreToolError.notJSON(reason: "\(error)") }
            return .string(text)
        }
    }

    /// - Throws: ``TroveError/encryptedRecord(model:id:)`` when the object has properties that are encrypted, of which
    ///   the store has no key; what saving throws.
    package func save(in transaction: WriteTransaction, _ model: StoredModel) throws {
        switch self {
        case .object(let object):
            // It was read without them, and would be refused as one that lacks them.
            if model.hasEncryptedFields, let id = object.id, let key = model.ids.key(of: id),
                try transaction.storedRecord(of: model.name, key: key)?.sealedFields.isEmpty == false
            {
                throw TroveError.encryptedRecord(model: model.name, id: model.shownID(of: key) ?? "\(id)")
            }
            try transaction.documents(of: model.name).save(object)
        case .document(let document): try transaction.documents(model.name).save(document)
        }
    }

    package func insert(in transaction: WriteTransaction, _ model: StoredModel) throws {
        switch self {
        case .object(let object): try transaction.documents(of: model.name).insert(object)
        case .document(let document): try transaction.documents(model.name).insert(document)
        }
    }

    package func delete(from transaction: WriteTransaction, _ model: StoredModel) throws {
        switch self {
        case .object(let object): try transaction.documents(of: model.name).delete(object)
        case .document(let document): try transaction.documents(model.name).delete(ids: [document.id])
        }
    }

    /// Whether another has the same values.
    package func isSame(as other: EditableObject?) -> Bool {
        switch (self, other) {
        case (.object(let left), .object(let right)?): left.id == right.id && left.modelName == right.modelName && left.value.isSame(as: right.value)
        case (.document(let left), .document(let right)?): left.id == right.id && left.value.isSame(as: right.value)
        default: false
        }
    }
}

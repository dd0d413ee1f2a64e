import Trove

/// What tells an object from others, on both sides: by bytes, since to Swift an é of one scalar and an é of two are equal, and as ids they are not.
struct ObjectName: Hashable, Sendable {
    let model: String
    /// The id as compact JSON.
    let id: String

    static func == (left: ObjectName, right: ObjectName) -> Bool {
        left.id.utf8.elementsEqual(right.id.utf8) && left.model.utf8.elementsEqual(right.model.utf8)
    }

    func hash(into hasher: inout Hasher) {
        for text in [id, model] {
            var text = text
            text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        }
    }

    var reported: MirrorReport.Object { MirrorReport.Object(model: model, id: id) }
}

extension WrittenObject {
    /// The name; nil of an object without an id.
    func name() throws -> ObjectName? { try id.map { ObjectName(model: model, id: try $0.json()) } }

    /// The object of a model without the properties that are nil, which is what those that are left out are. In a document both are different.
    var withoutNils: WrittenObject {
        guard case .object(let properties) = value, properties.contains(where: { $0.value == .null }) else { return self }
        var object = self
        object.value = .object(properties.filter { $0.value != .null }.map { ($0.key, $0.value) })
        return object
    }

    /// The text of a file with these objects: one alone, or a list with the root first.
    static func text(_ objects: [WrittenObject], _ style: JSONStyle) throws -> String {
        let texts = try objects.map { try $0.json(style) }
        if texts.count == 1 { return style == .pretty ? texts[0] + "\n" : texts[0] }
        return style == .pretty ? "[\n" + texts.joined(separator: ",\n") + "\n]\n" : "[" + texts.joined(separator: ",") + "]"
    }
}

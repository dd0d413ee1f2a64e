import Trove
import TroveStoreTools

/// A form to change one property, a whole object, or to make one. It changes nothing: what it sends is shown with its effects first.
struct EditPage: InspectorPage {
    private let request: PageRequest
    private let model: StoredModel
    private let id: StoredValue?
    private let property: String?
    private let text: String
    private let type: String?

    let title: String
    let section = PageSection.models

    init(_ request: PageRequest) throws {
        guard request.site.allowsWrites else {
            throw HTTPRefusal(403, "the store is shown for reading; the program that started the inspector has to allow changes")
        }
        self.request = request
        let property = request.fields.text("property")
        self.property = property
        (model, id, text, type) = try request.store.read { transaction in
            let model = try request.model(in: transaction)
            guard let written = request.fields.text("id") else { return (model, nil, try ObjectTemplate.text(of: model), nil) }
            let id = try model.id(of: written)
            guard let object = try EditableObject(id, of: model, in: transaction) else {
                throw HTTPRefusal(404, "there is no such object of \(model.name); it may have been deleted")
            }
            let type = property.flatMap { property in model.fields.first { $0.name == property }?.type }
            // A document may get an attribute that is new.
            if let property, type == nil, !model.isCollection, object.value(at: DocumentPath([.name(property)])) == nil {
                throw HTTPRefusal(404, "\(model.name) has no property '\(property.prefix(60))'")
            }
            return (model, id, try Self.text(of: object, property, model), type.map { "\($0)" })
        }
        let (name, isCollection) = (model.name, model.isCollection)
        title = try id.map { "Change \(name) \(try CellText.plain($0) ?? "")" } ?? "New \(isCollection ? "document of" : "object of") \(name)"
    }

    /// An object, or one of its properties, as the form shows it.
    static func text(of object: EditableObject, _ property: String?, _ model: StoredModel) throws -> String {
        guard let property else { return try visible(object.json()) }
        return try object.text(of: property, isText: model.fields.first { $0.name == property }?.type.unwrapped == .string)
    }

    /// What tells whether the object has become another since the form was made; nil of a new one.
    private var shown: String? { id == nil ? nil : EffectDigest.of(text) }

    /// JSON in which every character can be seen: those that cannot are escapes, which JSON has for all.
    private static func visible(_ json: String) -> String {
        json.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            var bytes: [UInt8] = []
            JSONText(isForTerminal: true).append(json: String(line), to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }.joined(separator: "\n")
    }

    func body() throws -> HTML {
        let fields = try [("model", model.name)] + (id.map { [("id", try $0.written)] } ?? [])
        let action = property.map { [("action", "set"), ("property", $0)] } ?? [("action", id == nil ? "insert" : "replace")]
        let hidden = request.formToken + request.exact(fields + (shown.map { [("shown", $0)] } ?? []) + action)
        if let property {
            let hint: HTML = """
                \(type.map { "<code>\($0)</code>. " as HTML })A value as JSON, or a text as it is; <code>null</code> is nil. A text that begins with a quote, or is \
                <code>null</code>, is written as JSON.
                """
            return """
                <form method="post" action="\(request.link("/preview"))">\(hidden)
                <label><bdi>\(property)</bdi><textarea name="value" spellcheck="false">
                \(HTML.sent(text))</textarea></label><p class="note">\(hint)</p>
                <div class="row"><button class="main">Show what changes</button>\(cancel(fields))</div></form>
                """
        }
        return """
            <form method="post" action="\(request.link("/preview"))">\(hidden)
            <label>As JSON<textarea name="json" spellcheck="false">
            \(HTML.sent(text))</textarea></label>
            <div class="row"><button class="main">Show what changes</button>\(cancel(fields))</div></form>
            """
    }

    private func cancel(_ fields: [(String, String)]) -> HTML {
        "<a class=\"button\" href=\"\(request.link(id == nil ? "/objects" : "/object", fields))\">Cancel</a>"
    }

    func json() throws -> JSONAnswer {
        .object([("model", .text(model.name)), ("id", .value(id ?? .null)), ("property", .text(property)), ("text", .text(text)), ("shown", .text(shown))])
    }
}

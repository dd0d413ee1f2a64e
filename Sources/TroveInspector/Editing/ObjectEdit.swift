import Trove
import TroveStoreTools

/// One change that a form asks for.
struct ObjectEdit {
    enum Action: String {
        case set, replace, insert, delete
    }

    let action: Action
    let model: String
    /// The id as it was written; nil of a new object.
    let id: String?
    private let property: String?
    private let text: String
    /// The digest of what the form showed; nil where nobody says.
    private let shown: String?

    /// The fields that say it again: which object, and what it is to have.
    let fields: [(String, String)]
    let texts: [(String, String)]

    /// - Throws: ``HTTPRefusal``.
    init(_ request: PageRequest) throws {
        guard let action = Action(rawValue: try request.required("action")) else { throw HTTPRefusal(400, "'action' is set, replace, insert or delete") }
        self.action = action
        model = try request.required("model")
        id = action == .insert ? nil : try request.required("id")
        property = action == .set ? try request.required("property") : nil
        text =
            switch action {
            case .set: try Self.lines(request.required("value"))
            case .replace, .insert: try Self.lines(request.required("json"))
            case .delete: ""
            }
        shown = request.fields["shown"]
        func sent(_ names: String...) -> [(String, String)] { names.compactMap { name in request.fields.text(name).map { (name, $0) } } }
        fields = sent("action", "model", "id", "property")
        texts = sent("value", "json")
    }

    /// A text of a form with the ends of lines that it had: browsers send each as CR LF. Where a text has others, the form shows it as JSON.
    private static func lines(_ text: String) -> String { text.replacing("\r\n", with: "\n") }

    /// Whether the object, or the property that is set, is what the form showed; true where nobody says what that was.
    func isOfShownState(in transaction: ReadTransaction, _ models: StoreModels) throws -> Bool {
        guard let shown, let id, action == .set || action == .replace else { return true }
        let model = try models[model]
        guard let object = try EditableObject(model.id(of: id), of: model, in: transaction) else { return true }
        return try EffectDigest.of(EditPage.text(of: object, property, model)) == shown
    }

    /// Does it, by the rules of the catalogue.
    func apply(in transaction: WriteTransaction, _ models: StoreModels) throws {
        let model = try models[model]
        guard let id else { return try EditableObject(json: text, of: model).insert(in: transaction, model) }
        let value = try model.id(of: id)
        guard var object = try EditableObject(value, of: model, in: transaction) else {
            throw HTTPRefusal(409, "there is no such object of \(model.name) any more")
        }
        switch action {
        case .set:
            try object.set(DocumentPath([.name(property ?? "")]), to: text, model)
            try object.save(in: transaction, model)
        case .replace: try object.replaced(byJSON: text).save(in: transaction, model)
        case .delete: try object.delete(from: transaction, model)
        case .insert: break
        }
    }
}

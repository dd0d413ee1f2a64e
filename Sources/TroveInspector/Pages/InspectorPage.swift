import Trove
import TroveStoreTools

/// What is shown, as HTML and as JSON.
protocol InspectorPage {
    var status: Int { get }
    var title: String { get }
    /// The entry of the navigation that it belongs to.
    var section: PageSection { get }
    /// What the script of live results listens to; nil for a page without them.
    var liveSource: Link? { get }
    /// Whether it is sent however large it is, since it tells of something that is done.
    var isOfAnySize: Bool { get }
    func body() throws -> HTML
    func json() throws -> JSONAnswer
}

extension InspectorPage {
    var status: Int { 200 }
    var liveSource: Link? { nil }
    var isOfAnySize: Bool { false }
}

enum PageSection: String, CaseIterable {
    case store = "Store"
    case models = "Models"
    case query = "Query"
    case bags = "Bags"
    case blobs = "Blobs"

    var path: String {
        switch self {
        case .store: "/"
        default: "/" + rawValue.lowercased()
        }
    }
}

/// The pages that are asked for, by their paths.
enum ShownPage: String {
    case store = "/store"
    case models = "/models"
    case model = "/model"
    case objects = "/objects"
    case object = "/object"
    case query = "/query"
    case bags = "/bags"
    case bag = "/bag"
    case blobs = "/blobs"
    case edit = "/edit"

    func page(_ request: PageRequest) throws -> any InspectorPage {
        switch self {
        case .store: try StorePage(request)
        case .models: try ModelsPage(request)
        case .model: try ModelPage(request)
        case .objects: try ObjectsPage(request)
        case .object: try ObjectPage(request)
        case .query: try QueryPage(request)
        case .bags: try BagsPage(request)
        case .bag: try BagPage(request)
        case .blobs: try BlobsPage(request)
        case .edit: try EditPage(request)
        }
    }
}

/// The forms that are posted, by their paths.
enum PostedPage: String {
    case preview = "/preview"
    case apply = "/apply"

    func page(_ request: PageRequest) throws -> any InspectorPage { try ChangePage(request, isConfirmed: self == .apply) }
}

/// What a page is asked for.
struct PageRequest: Sendable {
    let site: InspectorSite
    let fields: FormFields
    let session: RequestGuard.Session
    let path: String

    var store: ObjectStore { site.store }

    func link(_ path: String, _ fields: [(String, String?)] = []) -> Link { Link(site.guard.base, path, fields) }

    /// The page's own address with other fields.
    func link(changing changes: [(String, String?)]) -> Link {
        var fields = fields
        for (name, value) in changes { fields[name] = value }
        return Link(encoded: site.guard.base + path, fields)
    }

    /// The link to an object.
    func link(to id: StoredValue, of model: String) throws -> Link { link("/object", [("model", model), ("id", try id.written)]) }

    /// A field that has to be there.
    ///
    /// - Throws: ``HTTPRefusal``.
    func required(_ name: String) throws -> String {
        guard let value = fields.text(name) else { throw HTTPRefusal(400, "the page needs '\(name)'") }
        return value
    }

    /// A text that is read as criteria, a sort or words.
    ///
    /// - Throws: ``HTTPRefusal`` for one that is too long.
    func criteria(_ name: String) throws -> String? {
        guard let text = fields[name] else { return nil }
        guard text.utf8.count <= site.limits.criteriaSize else { throw HTTPRefusal(400, "'\(name)' is longer than \(site.limits.criteriaSize) bytes") }
        return text
    }

    /// The model that the page is about.
    func model(in transaction: ReadTransaction) throws -> StoredModel { try StoreModels(transaction)[required("model")] }

    /// Fields of a form that are not seen, and come back as they are: browsers send each end of a line in a value as CR LF, and would name another object.
    func exact(_ fields: [(String, String)]) -> HTML {
        var form = FormFields()
        for (name, value) in fields { form[name] = value }
        return hidden([(FormFields.exactName, form.encoded)])
    }

    /// Fields of a form that are not seen, of texts whose ends of lines may become others.
    func hidden(_ fields: [(String, String)]) -> HTML {
        fields.map { name, value in "<input type=\"hidden\" name=\"\(name)\" value=\"\(HTML.sent(value))\">" as HTML }.joined()
    }

    /// What a form of this page has to say to be taken.
    var formToken: HTML { hidden([("form-token", session.formToken)]) }
}

extension Link {
    init(encoded path: String, _ fields: FormFields) {
        let text = fields.encoded
        target = path + (text.isEmpty ? "" : "?" + text)
    }
}

extension StoredValue {
    /// An id as addresses have it: a text as it is, others as JSON. ``StoredModel/key(of:)`` reads it.
    var written: String {
        get throws {
            switch self {
            case .string(let text): text
            case .objectID(let id): id.description
            default: try json()
            }
        }
    }
}

import Foundation
import Trove
import TroveStoreTools

/// Answers requests about one store.
final class InspectorSite: Sendable {
    let store: ObjectStore
    let allowsWrites: Bool
    let `guard`: RequestGuard
    let limits: InspectorLimits
    let live: LivePages
    /// Where the store is asked: its calls wait, which Swift's own threads must not.
    private let queues = WaitingQueues(count: 6)

    init(_ store: ObjectStore, allowsWrites: Bool, hosts: [String], _ limits: InspectorLimits) {
        self.store = store
        self.allowsWrites = allowsWrites
        self.limits = limits
        `guard` = RequestGuard(hosts: hosts)
        live = LivePages(limit: limits.liveConnections)
    }

    /// The name that the store is shown by.
    var storeName: String { URL(fileURLWithPath: store.path).lastPathComponent }

    /// Runs `body` where it may wait.
    func waiting<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result { try await queues.run(body) }

    // MARK: - Answering

    func answer(_ request: HTTPRequest) async -> HTTPResponse {
        let isJSON = request.path.hasSuffix(".json")
        let path = `guard`.path(of: request)
        do {
            try `guard`.checkOrigin(of: request)
            guard let path else { throw HTTPRefusal(401, "open the address that the program printed when it started") }
            if path == "/start", request.method == .get {
                let cookie = try `guard`.cookie(for: request.query["token"])
                return HTTPResponse(303, type: "text/plain", headers: [("Location", `guard`.base + "/"), ("Set-Cookie", cookie)], "")
            }
            let session = try `guard`.session(of: request)
            return try await answer(request, path, session)
        } catch let refusal as HTTPRefusal {
            return answer(to: refusal, isJSON: isJSON, knowsBase: path != nil)
        } catch {
            return answer(to: Self.refusal(for: error), isJSON: isJSON, knowsBase: path != nil)
        }
    }

    private func answer(_ request: HTTPRequest, _ path: String, _ session: RequestGuard.Session) async throws -> HTTPResponse {
        let isJSON = path.hasSuffix(".json")
        let name = isJSON ? String(path.dropLast(5)) : path
        if request.method == .post {
            guard let kind = PostedPage(rawValue: name) else { throw HTTPRefusal(405, "only forms are posted") }
            guard allowsWrites else { throw HTTPRefusal(403, "the store is shown for reading; the program that started the inspector has to allow changes") }
            let page = PageRequest(site: self, fields: try RequestGuard.form(of: request, session), session: session, path: name)
            return try await rendered(isJSON: isJSON) { try kind.page(page) }
        }
        let page = PageRequest(site: self, fields: request.query, session: session, path: name)
        switch path {
        case "/style.css": return HTTPResponse(type: "text/css; charset=utf-8", Stylesheet.text)
        case "/live.js": return HTTPResponse(type: "text/javascript; charset=utf-8", LiveScript.text)
        case "/icon.svg": return HTTPResponse(type: "image/svg+xml", Stylesheet.icon)
        case "/graph.svg":
            let drawing = try await waiting { try ModelsPage.graph(of: self.store).svg(title: "The models of \(self.storeName)") }
            return HTTPResponse(type: "image/svg+xml", headers: [("Content-Disposition", "attachment; filename=\"models.svg\"")], drawing)
        case "/blob": return try await BlobDownload.response(page)
        case "/live": return try await live.response(page, seen: request.headers["last-event-id"])
        default: break
        }
        guard let kind = ShownPage(rawValue: name == "/" ? "/store" : name) else {
            throw PostedPage(rawValue: name) == nil ? HTTPRefusal(404, "there is no such page") : HTTPRefusal(405, "changes are posted")
        }
        return try await rendered(isJSON: isJSON) { try kind.page(page) }
    }

    /// A page as HTML, or as JSON, made at once: nothing of the store is held while it is sent.
    private func rendered(isJSON: Bool, _ make: @escaping @Sendable () throws -> any InspectorPage) async throws -> HTTPResponse {
        let (status, bytes, isOfAnySize) = try await waiting {
            let page = try make()
            if isJSON {
                var bytes: [UInt8] = []
                try page.json().append(to: &bytes)
                bytes.append(UInt8(ascii: "\n"))
                return (page.status, bytes, page.isOfAnySize)
            }
            let (html, status) = PageFrame(self).html(page)
            return (status, Array(html.text.utf8), page.isOfAnySize)
        }
        guard isOfAnySize || bytes.count <= limits.answerSize else {
            throw HTTPRefusal(413, "the answer is larger than \(limits.answerSize.asByteCount); ask for fewer rows, or use the command line")
        }
        return HTTPResponse(status, type: isJSON ? "application/json" : "text/html; charset=utf-8", .bytes(bytes))
    }

    // MARK: - What went wrong

    /// - Parameter knowsBase: whether the request was for a path of this server.
    func answer(to refusal: HTTPRefusal, isJSON: Bool, knowsBase: Bool) -> HTTPResponse {
        if isJSON {
            var bytes: [UInt8] = []
            do {
                try JSONAnswer.object([("error", .object([("status", .number(refusal.status)), ("reason", .text(refusal.reason))]))]).append(to: &bytes)
            } catch {
                assertionFailure("a text that is no JSON: \(error)")
            }
            return HTTPResponse(refusal.status, type: "application/json", .bytes(bytes + [UInt8(ascii: "\n")]))
        }
        return HTTPResponse(refusal.status, type: "text/html; charset=utf-8", PageFrame(self).html(of: refusal, knowsBase: knowsBase).text)
    }

    /// The answer to an error of the library.
    static func refusal(for error: any Error) -> HTTPRefusal {
        let status =
            switch error {
            case let refusal as HTTPRefusal: refusal.status
            case StoreToolError.noSuchModel: 404
            case is StoreToolError: 400
            case let error as StorageError: error.suspectsCorruption ? 500 : 503
            case let error as TroveError: status(of: error)
            default: 500
            }
        return HTTPRefusal(status, (error as? HTTPRefusal)?.reason ?? "\(error)")
    }

    private static func status(of error: TroveError) -> Int {
        switch error {
        case .unknownModel, .unknownType, .noSuchBlob, .notFound: 404
        case .deadlineExceeded, .closed: 503
        case .uniqueViolation, .ambiguousUpsert, .deletionDenied, .alreadyExists, .needsModel: 409
        case .corruptRecord, .corruptKey, .corruptValue, .corruptCatalogue, .corruptBlob, .corruptMetadata, .corruptHistory, .corruptIndex: 500
        default: 400
        }
    }
}

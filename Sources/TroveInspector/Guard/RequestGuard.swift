import Synchronization

/// Decides which requests are of the browser that was let in, and of a page of this server.
///
/// A name that somebody else's page has for this machine makes that page's requests same-origin ones to the browser: `Host` tells them, and nothing else
/// does. Cookies are sent to every port of a host: they have a path that no other server can know.
struct RequestGuard: Sendable {
    /// A browser that was let in.
    struct Session: Sendable {
        /// What its forms have to say.
        let formToken: String
    }

    private struct State {
        /// Tokens that nobody has used.
        var tokens: Set<Secret> = []
        var sessions: [Secret: Session] = [:]
    }

    private static let cookieName = "trove"

    /// What every path of this server begins with.
    let base: String
    private let hosts: [String]
    private let state = StateHolder()

    private final class StateHolder: Sendable {
        let state = Mutex(State())
    }

    init(hosts: [String]) {
        self.hosts = hosts
        base = "/" + Secret().text.prefix(16)
    }

    /// The target of the request that lets a browser in; each can be used once.
    func startTarget() -> String {
        let token = Secret()
        state.state.withLock { _ = $0.tokens.insert(token) }
        return "\(base)/start?token=\(token.text)"
    }

    /// The path behind ``base``; nil when the request is for none.
    func path(of request: HTTPRequest) -> String? {
        guard request.path.hasPrefix(base) else { return nil }
        let rest = request.path.dropFirst(base.count)
        return rest.first == "/" ? String(rest) : nil
    }

    // MARK: - Where a request comes from

    /// - Throws: ``HTTPRefusal`` for a request that somebody else's page made, or that a page makes of this one's without showing it as a page.
    func checkOrigin(of request: HTTPRequest) throws {
        guard let host = request.headers["host"]?.lowercased(), hosts.contains(host) else {
            throw HTTPRefusal(421, "the Host is none that this server is called by; use the address that was printed")
        }
        if let origin = request.headers["origin"] {
            guard origin == "http://\(host)" else { throw HTTPRefusal(403, "the request is of another page") }
        } else if request.method == .post {
            throw HTTPRefusal(403, "a change says by its Origin which page it is of")
        }
        if let site = request.headers["sec-fetch-site"], site != "same-origin", !(site == "none" && request.method != .post) {
            throw HTTPRefusal(403, "the request is of another page")
        }
        let destination = request.headers["sec-fetch-dest"]
        switch request.headers["sec-fetch-mode"] {
        case nil, "same-origin", "cors", "no-cors": break
        case "navigate" where destination == nil || destination == "document": break
        default: throw HTTPRefusal(403, "the page stands in no other page, and is no socket")
        }
        if let destination, !["document", "empty", "style", "script", "image"].contains(destination) {
            throw HTTPRefusal(403, "the page is no \(destination.prefix(20))")
        }
    }

    // MARK: - Who it comes from

    /// Takes a token for a cookie.
    ///
    /// - Throws: ``HTTPRefusal`` for a token that was used, or never given.
    func cookie(for token: String?) throws -> String {
        let session = Secret()
        let isKnown = state.state.withLock { state in
            guard let token, let known = state.tokens.first(where: { $0.isEqual(to: token) }) else { return false }
            state.tokens.remove(known)
            state.sessions[session] = Session(formToken: Secret().text)
            return true
        }
        guard isKnown else { throw HTTPRefusal(403, "the address was used already, or is none of this server's; ask the program for another") }
        return "\(Self.cookieName)=\(session.text); Path=\(base)/; HttpOnly; SameSite=Strict"
    }

    /// The session of a request's cookie.
    ///
    /// - Throws: ``HTTPRefusal``.
    func session(of request: HTTPRequest) throws -> Session {
        let cookies = (request.headers["cookie"] ?? "").split(separator: ";").compactMap { part -> Substring? in
            let part = part.drop { $0 == " " }
            return part.hasPrefix(Self.cookieName + "=") ? part.dropFirst(Self.cookieName.count + 1) : nil
        }
        let session = state.state.withLock { state in
            state.sessions.first { session in cookies.contains { session.key.isEqual(to: $0) } }?.value
        }
        guard let session else { throw HTTPRefusal(401, "open the address that the program printed when it started") }
        return session
    }

    /// The form of a request, which has to be one of a page of this server.
    ///
    /// - Throws: ``HTTPRefusal``.
    static func form(of request: HTTPRequest, _ session: Session) throws -> FormFields {
        guard request.headers["content-type"]?.lowercased() == "application/x-www-form-urlencoded" else {
            throw HTTPRefusal(415, "changes are sent as application/x-www-form-urlencoded")
        }
        var form = try FormFields(encoded: request.body)
        if let exact = form[FormFields.exactName] { try form.add(FormFields(encoded: exact.utf8)) }
        guard let token = form["form-token"], Secret.areEqual(token, session.formToken) else {
            throw HTTPRefusal(403, "the form is of no page that this server made for this browser; load the page again")
        }
        return form
    }
}

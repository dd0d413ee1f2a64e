import Trove

/// What is answered.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// As many bytes as told, a piece at a time; a piece that is missing ends the connection, so that nobody takes the rest for whole.
        case pieces(size: Int, next: @Sendable (_ offset: Int) async throws -> [UInt8])
        /// Events until one side ends.
        case events(@Sendable (_ send: @Sendable (String) async throws -> Void) async throws -> Void)
    }

    var status: Int
    var type: String
    var headers: [(name: String, value: String)] = []
    var body: Body

    init(_ status: Int = 200, type: String, headers: [(name: String, value: String)] = [], _ body: Body) {
        self.status = status
        self.type = type
        self.headers = headers
        self.body = body
    }

    init(_ status: Int = 200, type: String, headers: [(name: String, value: String)] = [], _ text: String) {
        self.init(status, type: type, headers: headers, .bytes(Array(text.utf8)))
    }

    /// Nothing but what the page's own files do: no script, style, picture or form of anybody else's, and none that stands in the page.
    static let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    private static let phrases = [
        200: "OK", 303: "See Other", 400: "Bad Request", 401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 405: "Method Not Allowed",
        408: "Request Timeout", 409: "Conflict", 411: "Length Required", 413: "Content Too Large", 414: "URI Too Long", 415: "Unsupported Media Type",
        417: "Expectation Failed", 421: "Misdirected Request", 431: "Request Header Fields Too Large", 500: "Internal Server Error", 501: "Not Implemented",
        503: "Service Unavailable", 505: "HTTP Version Not Supported",
    ]

    /// The head with what every answer has.
    func head() -> [UInt8] {
        var lines = ["HTTP/1.1 \(status) \(Self.phrases[status] ?? "Status")", "Content-Type: \(type)"]
        switch body {
        case .bytes(let bytes): lines.append("Content-Length: \(bytes.count)")
        case .pieces(let size, _): lines.append("Content-Length: \(size)")
        case .events: break
        }
        // A form of a page with no-referrer is sent with `Origin: null`, which is refused here. The address of the first page,
        // with the token in it, is answered by no page.
        let referrer = type.hasPrefix("text/html") && status == 200 ? "same-origin" : "no-referrer"
        lines += [
            "Content-Security-Policy: \(Self.policy)", "X-Content-Type-Options: nosniff", "X-Frame-Options: DENY", "Referrer-Policy: \(referrer)",
            "Cross-Origin-Resource-Policy: same-origin", "Cross-Origin-Opener-Policy: same-origin", "Cache-Control: no-store", "Connection: close",
        ]
        lines += headers.map { "\($0.name): \($0.value)" }
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

/// Reads one request out of bytes as they come, and refuses what could be read in two ways.
///
/// One connection has one request: there is nothing behind it that a proxy or a page could have meant for another.
struct RequestReader {
    private let limits: InspectorLimits
    private var bytes: [UInt8] = []
    /// Where the search for the end of the head goes on.
    private var searched = 0
    private var head: Head?

    private struct Head {
        let method: HTTPRequest.Method
        let path: String
        let query: FormFields
        let headers: [String: String]
        let end: Int
        let bodySize: Int
    }

    init(_ limits: InspectorLimits) { self.limits = limits }

    /// How many more bytes may be asked for.
    var wanted: Int { max(1, min(4_096, (head.map { $0.end + $0.bodySize } ?? limits.headSize) + 1 - bytes.count)) }

    /// Takes the next bytes; the request when they end it, nil when there is more to come.
    ///
    /// - Throws: ``HTTPRefusal``.
    mutating func add(_ more: [UInt8]) throws -> HTTPRequest? {
        bytes += more
        if head == nil {
            guard let end = endOfHead() else {
                guard bytes.count <= limits.headSize else { throw HTTPRefusal(431, "the head of the request is longer than \(limits.headSize) bytes") }
                return nil
            }
            guard end <= limits.headSize else { throw HTTPRefusal(431, "the head of the request is longer than \(limits.headSize) bytes") }
            head = try Self.head(bytes[..<end], limits)
        }
        guard let head else { return nil }
        let size = head.end + head.bodySize
        guard bytes.count <= size else { throw HTTPRefusal(400, "there is more than one request on the connection") }
        guard bytes.count == size else { return nil }
        return HTTPRequest(method: head.method, path: head.path, query: head.query, headers: head.headers, body: Array(bytes[head.end...]))
    }

    private mutating func endOfHead() -> Int? {
        var place = max(0, searched - 3)
        while place + 4 <= bytes.count {
            if bytes[place] == 13, bytes[place + 1] == 10, bytes[place + 2] == 13, bytes[place + 3] == 10 { return place + 4 }
            place += 1
        }
        searched = bytes.count
        return nil
    }

    // MARK: - The head

    private static func head(_ bytes: ArraySlice<UInt8>, _ limits: InspectorLimits) throws -> Head {
        // Tab, and what is printed in ASCII, but for the ends of lines: no other byte means anything here.
        guard bytes.allSatisfy({ $0 == 9 || $0 == 10 || $0 == 13 || $0 >= 32 && $0 < 127 }) else {
            throw HTTPRefusal(400, "the head has bytes that are no ASCII text")
        }
        var lines = String(decoding: bytes.dropLast(4), as: UTF8.self).components(separatedBy: "\r\n")
        guard !lines.contains(where: { $0.utf8.contains(13) || $0.utf8.contains(10) }) else { throw HTTPRefusal(400, "a line ends otherwise than by CR LF") }
        let (method, path, query) = try requestLine(lines.removeFirst(), limits)
        guard lines.count <= limits.headerCount else { throw HTTPRefusal(431, "there are more than \(limits.headerCount) headers") }
        var headers: [String: String] = [:]
        for line in lines {
            let (name, value) = try header(line)
            // Of no header that matters here may there be two. Of others the first is kept.
            if headers[name] != nil, single.contains(name) { throw HTTPRefusal(400, "the header '\(name)' is there twice") }
            headers[name] = headers[name] ?? value
        }
        guard headers["transfer-encoding"] == nil else { throw HTTPRefusal(501, "bodies come in one piece, with a Content-Length") }
        guard headers["expect"] == nil else { throw HTTPRefusal(417, "nothing is expected") }
        guard headers["upgrade"] == nil else { throw HTTPRefusal(400, "there is no other protocol here, and no WebSocket") }
        return Head(
            method: method, path: path, query: query, headers: headers, end: bytes.count, bodySize: try bodySize(headers["content-length"], method, limits))
    }

    private static let single: Set<String> = [
        "host", "origin", "cookie", "content-length", "content-type", "transfer-encoding", "sec-fetch-site", "sec-fetch-mode", "sec-fetch-dest", "referer",
        "connection",
    ]

    private static func requestLine(_ line: String, _ limits: InspectorLimits) throws -> (HTTPRequest.Method, String, FormFields) {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 3, !parts.contains(where: \.isEmpty) else { throw HTTPRefusal(400, "the first line is no method, target and version") }
        guard parts[2] == "HTTP/1.1" else { throw HTTPRefusal(505, "the version is HTTP/1.1") }
        guard let method = HTTPRequest.Method(rawValue: String(parts[0])) else { throw HTTPRefusal(405, "the methods are GET, HEAD and POST") }
        let target = parts[1].utf8
        guard target.count <= limits.targetSize else { throw HTTPRefusal(414, "the target is longer than \(limits.targetSize) bytes") }
        guard target.first == UInt8(ascii: "/") else { throw HTTPRefusal(400, "the target is a path that begins with '/'") }
        let place = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        let path = target[..<place]
        guard path.allSatisfy(isPlain) else { throw HTTPRefusal(400, "paths have letters, digits, '/', '.', '-' and '_', and nothing encoded") }
        let text = String(parts[1][..<place])
        guard !text.contains(".."), !text.contains("//") else { throw HTTPRefusal(400, "the path has empty or double-dot parts") }
        return (method, text, place == target.endIndex ? FormFields() : try FormFields(encoded: target[target.index(after: place)...]))
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "."),
            UInt8(ascii: "/"):
            true
        default: false
        }
    }

    private static func header(_ line: String) throws -> (String, String) {
        guard let colon = line.firstIndex(of: ":") else { throw HTTPRefusal(400, "a header has no ':'") }
        let name = line[..<colon]
        // A space before the colon, or at the beginning of a line that goes on with the one before, is read by some as a name of its own.
        guard !name.isEmpty, name.utf8.allSatisfy({ isPlain($0) && $0 != UInt8(ascii: "/") }) else {
            throw HTTPRefusal(400, "a header's name has other characters than letters, digits and '-'")
        }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        let end = value.lastIndex { $0 != " " && $0 != "\t" }.map { value.index(after: $0) } ?? value.startIndex
        return (name.lowercased(), String(value[..<end]))
    }

    private static func bodySize(_ text: String?, _ method: HTTPRequest.Method, _ limits: InspectorLimits) throws -> Int {
        guard let text else {
            guard method != .post else { throw HTTPRefusal(411, "a POST has a Content-Length") }
            return 0
        }
        guard !text.isEmpty, text.utf8.count <= 18, text.utf8.allSatisfy({ $0 >= 48 && $0 < 58 }), let size = Int(text) else {
            throw HTTPRefusal(400, "the Content-Length is no number")
        }
        guard method == .post || size == 0 else { throw HTTPRefusal(400, "a GET has no body") }
        guard size <= limits.bodySize else { throw HTTPRefusal(413, "the body is longer than \(limits.bodySize) bytes") }
        return size
    }
}

import Foundation

/// Sends bytes as they are and reads what is answered until the server closes.
struct RawClient: Sendable {
    struct Answer: Sendable {
        let bytes: [UInt8]
        let status: Int
        /// By lower-case names.
        let headers: [String: String]
        let body: String
        let bodyBytes: [UInt8]

        var text: String { String(decoding: bytes, as: UTF8.self) }
    }

    struct Failed: Error { let what: String }

    let host: String
    /// The target of the address that the client was made of.
    let target: String
    private let port: UInt16
    private let socketPath: String?

    init(_ url: String, socketPath: String?) throws {
        let rest = url.dropFirst("http://".count)
        host = String(rest.prefix { $0 != "/" })
        target = String(rest.drop { $0 != "/" })
        port = host.split(separator: ":").last.flatMap { UInt16($0) } ?? 0
        self.socketPath = socketPath
    }

    func send(_ text: String, seconds: Int = 60) async throws -> Answer { try await send(Array(text.utf8), seconds: seconds) }

    func send(_ bytes: [UInt8], seconds: Int = 60) async throws -> Answer {
        try await withCheckedThrowingContinuation { continuation in
            // A serial queue has a thread of its own, and waits behind nobody.
            DispatchQueue(label: "client").async {
                continuation.resume(
                    with: Result {
                        let descriptor = try open(seconds: seconds)
                        defer { close(descriptor) }
                        try write(bytes, to: descriptor)
                        return try answer(readToEnd(descriptor))
                    })
            }
        }
    }

    /// A connection, which whoever opens it closes.
    func open(seconds: Int = 60) throws -> Int32 {
        #if canImport(Glibc)
        let stream = Int32(SOCK_STREAM.rawValue)
        #else
        let stream = SOCK_STREAM
        #endif
        let descriptor = socket(socketPath == nil ? AF_INET : AF_UNIX, stream, 0)
        var time = timeval(tv_sec: seconds, tv_usec: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let result: Int32
        if let socketPath {
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socketPath.utf8) }
            result = withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) } }
        } else {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            result = withUnsafePointer(to: &address) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) } }
        }
        guard result == 0 else {
            close(descriptor)
            throw Failed(what: "connect: \(String(cString: strerror(errno)))")
        }
        return descriptor
    }

    func write(_ bytes: [UInt8], to descriptor: Int32) throws {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            // The server may close when it has read enough; its answer is still to be read.
            if count < 0 { return }
            rest = rest.dropFirst(count)
        }
    }

    /// Reads until the other side closes.
    func readToEnd(_ descriptor: Int32) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = recv(descriptor, &buffer, buffer.count, 0)
            if count == 0 { return bytes }
            guard count > 0 else {
                if errno == ECONNRESET, !bytes.isEmpty { return bytes }
                throw Failed(what: "recv: \(String(cString: strerror(errno)))")
            }
            bytes += buffer[..<count]
        }
    }

    func answer(_ bytes: [UInt8]) throws -> Answer {
        let mark: [UInt8] = [13, 10, 13, 10]
        guard let end = bytes.indices.dropLast(3).first(where: { bytes[$0..<$0 + 4].elementsEqual(mark) }) else { throw Failed(what: "no head in \(bytes.count) bytes") }
        let lines = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let place = line.firstIndex(of: ":") ?? line.endIndex
            headers[line[..<place].lowercased()] = line[place...].dropFirst().trimmingCharacters(in: .whitespaces)
        }
        let body = Array(bytes[(end + 4)...])
        return Answer(bytes: bytes, status: Int(lines[0].split(separator: " ").dropFirst().first ?? "") ?? 0, headers: headers, body: String(decoding: body, as: UTF8.self), bodyBytes: body)
    }
}

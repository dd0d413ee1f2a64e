import FlyingSocks
import Foundation

/// The socket that an inspector listens on, and what it is called by.
struct ListeningSocket: Sendable {
    let socket: Socket
    /// The `Host` headers that name it.
    let hosts: [String]
    /// The file of a Unix socket, which is removed with it.
    private let file: SocketFile?

    private struct SocketFile: Sendable {
        let path: String
        let inode: ino_t
    }

    /// Begins to listen.
    ///
    /// - Throws: ``InspectorError``.
    init(_ endpoint: Inspector.Endpoint) throws {
        do {
            switch endpoint {
            case .loopback(let port): (socket, file, hosts) = try Self.internet("127.0.0.1", port, names: ["127.0.0.1", "localhost"])
            case .network(let host, let port): (socket, file, hosts) = try Self.internet(host, port, names: [host])
            case .socketFile(let path): (socket, file, hosts) = try Self.unix(path)
            }
        } catch let error as SocketError {
            throw InspectorError.cannotListen(endpoint: "\(endpoint)", reason: Self.reason(of: error, endpoint))
        }
    }

    /// Why the system refuses an endpoint, and what to do where that is known.
    private static func reason(of error: SocketError, _ endpoint: Inspector.Endpoint) -> String {
        guard case .failed(let call, let code, _) = error else { return error.localizedDescription }
        return switch (endpoint, code) {
        case (.network(let host, _), _) where call.hasPrefix("inet_pton"):
            "'\(host)' is no address; write one of this machine in numbers, such as 192.168.1.5 or ::1"
        case (.network, EADDRNOTAVAIL): "this machine has no such address"
        case (.socketFile, EADDRINUSE): "there is something at the path already; remove it, or choose another path"
        case (.loopback, EADDRINUSE), (.network, EADDRINUSE): "another program listens there; choose another port"
        default: String(cString: strerror(code)).lowercased()
        }
    }

    private static func internet(_ host: String, _ port: UInt16, names: [String]) throws -> (Socket, SocketFile?, [String]) {
        let socket: Socket
        if host.contains(":") {
            let address = try sockaddr_in6.inet6(ip6: host, port: port)
            if withUnsafeBytes(of: address.sin6_addr, Self.isEveryAddress) { throw Self.everyAddress(host, port) }
            socket = try Socket(domain: AF_INET6)
            try bind(socket, address)
        } else {
            let address = try sockaddr_in.inet(ip4: host, port: port)
            if address.sin_addr.s_addr == 0 { throw Self.everyAddress(host, port) }
            socket = try Socket(domain: AF_INET)
            try bind(socket, address)
        }
        try listen(socket)
        let bound: UInt16
        do {
            switch try socket.sockname() {
            case .ip4(_, let port), .ip6(_, let port): bound = port
            case .unix: bound = port
            }
        } catch {
            try socket.close()
            throw error
        }
        let hosts = names.map { $0.contains(":") ? "[\($0.lowercased())]" : $0.lowercased() }
        // Browsers leave out the port that they take anyway.
        return (socket, nil, hosts.map { $0 + ":\(bound)" } + (bound == 80 ? hosts : []))
    }

    /// Whether an IPv6 address is that of all, or has that of IPv4 in it, `::ffff:0.0.0.0`.
    private static func isEveryAddress(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let prefix = bytes[10..<12]
        return bytes[..<10].allSatisfy { $0 == 0 } && (prefix.allSatisfy { $0 == 0 } || prefix.allSatisfy { $0 == 0xFF }) && bytes[12...].allSatisfy { $0 == 0 }
    }

    /// A page is answered by the name that it is asked by, so that no other name leads to it; every address has none.
    private static func everyAddress(_ host: String, _ port: UInt16) -> InspectorError {
        .cannotListen(
            endpoint: "\(Inspector.Endpoint.network(host: host, port: port))",
            reason: "'\(host)' stands for every address of this machine; name the one that browsers will use, such as 192.168.1.5")
    }

    private static func bind(_ socket: Socket, _ address: some SocketAddress) throws {
        do {
            try socket.setValue(true, for: .localAddressReuse)
            try socket.bind(to: address)
        } catch {
            try socket.close()
            throw error
        }
    }

    private static func listen(_ socket: Socket) throws {
        _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            // A browser that went would end the whole application by SIGPIPE. Connections have it from this socket; on Linux each write says it.
            do {
                try socket.setValue(true, for: .noSIGPIPE)
            } catch {
                try socket.close()
                throw error
            }
        #endif
        try socket.listen(maxPendingConnection: 64)
    }

    private static func unix(_ path: String) throws -> (Socket, SocketFile?, [String]) {
        // The system cuts a longer name off without a word.
        let limit = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard path.utf8.count <= limit, !path.utf8.contains(0), !path.isEmpty else {
            throw InspectorError.cannotListen(endpoint: path, reason: "the path of a socket has 1 to \(limit) bytes")
        }
        let socket = try Socket(domain: AF_UNIX)
        var information = stat()
        do {
            try socket.bind(to: sockaddr_un.unix(path: path))
            // Nobody can connect before it listens, so nobody comes in before the mode is set.
            guard chmod(path, 0o600) == 0, lstat(path, &information) == 0 else {
                throw InspectorError.cannotListen(endpoint: path, reason: String(cString: strerror(errno)))
            }
        } catch {
            try socket.close()
            throw error
        }
        do {
            try listen(socket)
        } catch {
            unlink(path)
            throw error
        }
        return (socket, SocketFile(path: path, inode: information.st_ino), ["localhost"])
    }

    /// Closes the socket and removes its file, unless another has its name by now.
    func close() {
        do { try socket.close() } catch { assertionFailure("a socket that cannot be closed: \(error)") }
        var information = stat()
        if let file, lstat(file.path, &information) == 0, information.st_ino == file.inode { unlink(file.path) }
    }
}

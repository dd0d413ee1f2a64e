/// How much an installation needs a package. Stored as its raw value.
enum PackagePriority: String, Codable, Sendable {
    case required
    case important
    case standard
    case optional
    case extra
}

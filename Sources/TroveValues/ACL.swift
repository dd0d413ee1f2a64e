/// Who may read and write an object, as Parse keeps it: a list of users and roles with what each may do.
///
/// ```swift
/// var acl = ACL()
/// acl.everyone = .read
/// acl["ane"] = .all
/// acl[role: "Editors"] = [.read, .write]
/// acl.allows(.write, user: "ane", roles: ["Authors"])      // true
/// ```
///
/// It is a value that programs ask; the store itself lets everybody who opened it read and write everything.
///
/// `Codable` writes it as Parse does: `{"*": {"read": true}, "ane": {"read": true, "write": true}, "role:Editors": {"write": true}}`.
public struct ACL: Sendable, Hashable {
    /// What somebody may do.
    public struct Permissions: OptionSet, Sendable, Hashable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) { self.rawValue = rawValue & 3 }

        /// Seeing the object.
        public static let read = Permissions(rawValue: 1)
        /// Changing and deleting the object.
        public static let write = Permissions(rawValue: 2)
        /// Both.
        public static let all: Permissions = [.read, .write]
    }

    private static let everyoneName = "*"
    private static let rolePrefix = "role:"
    private static func name(ofRole role: String) -> String { rolePrefix + role }

    /// Whether an entry is a user's. A name may come from whoever asks, and another entry's gives nobody its rights.
    private static func isUser(_ name: String) -> Bool { name != everyoneName && !name.utf8.starts(with: rolePrefix.utf8) }

    private var permissions: [String: Permissions] = [:]

    /// A list that lets nobody do anything.
    public init() {}

    /// What everybody may do.
    public var everyone: Permissions {
        get { self[Self.everyoneName] }
        set { self[Self.everyoneName] = newValue }
    }

    /// What a user may do that not everybody may; nothing takes the entry away. By the names `*` and `role:NAME` the entries of everybody and of roles.
    public subscript(user: String) -> Permissions {
        get { permissions[user] ?? [] }
        set { permissions[user] = newValue.isEmpty ? nil : newValue }
    }

    /// What the members of a role may do.
    public subscript(role role: String) -> Permissions {
        get { self[Self.name(ofRole: role)] }
        set { self[Self.name(ofRole: role)] = newValue }
    }

    /// The users and roles that may do something, everybody among them as `*` and roles as `role:NAME`, ascending.
    public var names: [String] { permissions.keys.sorted() }

    /// Whether a user may do something: as everybody may, as a user, or as a member of a role.
    ///
    /// - Parameter user: nil for one who has not told who he is. One named `*` or `role:…` may do what everybody may.
    public func allows(_ wanted: Permissions, user: String?, roles: some Sequence<String> = []) -> Bool {
        var allowed = everyone
        if let user, Self.isUser(user) { allowed.formUnion(self[user]) }
        for role in roles { allowed.formUnion(self[role: role]) }
        return allowed.isSuperset(of: wanted)
    }
}

extension ACL: Codable {
    private struct Entry: Codable {
        var read: Bool?
        var write: Bool?
    }

    public func encode(to encoder: any Encoder) throws {
        try permissions.mapValues { Entry(read: $0.contains(.read) ? true : nil, write: $0.contains(.write) ? true : nil) }.encode(to: encoder)
    }

    public init(from decoder: any Decoder) throws {
        for (name, entry) in try [String: Entry](from: decoder) {
            self[name] = (entry.read == true ? Permissions.read : []).union(entry.write == true ? .write : [])
        }
    }
}

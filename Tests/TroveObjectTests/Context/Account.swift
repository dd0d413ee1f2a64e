import Observation
import Trove

/// A live model by hand: what `@Model` writes for
///
///     @Model final class Account {
///         @Attribute(.unique) var name: String
///         var balance = 0
///         var note: String?
///     }
///
/// It is `@unchecked Sendable` because its accessors take the lock of its domain, and its hooks are set before it is shared.
final class Account: LiveModel, @unchecked Sendable {
    let id: Int
    let _$live = _LiveObjectState()
    var _$state: Unmanaged<_LiveObjectState> { .passUnretained(_$live) }

    private var _name: String
    private var _balance = 0
    private var _note: String?

    /// What the hooks do, besides counting.
    var hooks = Hooks()

    struct Hooks: Sendable {
        var validate: (@Sendable (Account) throws -> Void)?
        var willSave: (@Sendable (Account) throws -> Void)?
        var didSave: (@Sendable (Account) -> Void)?
        var didDelete: (@Sendable (Account) -> Void)?
        var ended: (@Sendable () -> Void)?
    }

    /// How often the object was told that it was loaded; guarded by the test, which uses one thread.
    private(set) var loadCount = 0

    init(id: Int, name: String, balance: Int = 0, note: String? = nil) {
        self.id = id
        _name = name
        _balance = balance
        _note = note
    }

    deinit { hooks.ended?() }

    var name: String {
        get {
            let access = _$live.beginReading(self, \.name)
            defer { access.end() }
            return _name
        }
        set {
            let access = _$live.beginChanging(self, \.name, field: 0)
            defer { access.end(self, \.name) }
            _name = newValue
        }
    }

    var balance: Int {
        get {
            let access = _$live.beginReading(self, \.balance)
            defer { access.end() }
            return _balance
        }
        set {
            let access = _$live.beginChanging(self, \.balance, field: 1)
            defer { access.end(self, \.balance) }
            _balance = newValue
        }
        _modify {
            let access = _$live.beginChanging(self, \.balance, field: 1)
            defer { access.endInPlace(self, \.balance) }
            yield &_balance
        }
    }

    var note: String? {
        get {
            let access = _$live.beginReading(self, \.note)
            defer { access.end() }
            return _note
        }
        set {
            let access = _$live.beginChanging(self, \.note, field: 2)
            defer { access.end(self, \.note) }
            _note = newValue
        }
    }

    static let schema = ModelSchema(
        "Account",
        fields: [
            FieldSchema("name", \Account.name), FieldSchema("balance", \Account.balance, hasDefault: true), FieldSchema("note", \Account.note),
        ])

    static var indexes: [Index<Account>] { [Index(unique: [\.name]), Index(\.balance)] }

    init(from record: inout RecordDecoder) throws {
        _name = try record.decode()
        _balance = try record.decode(default: 0)
        _note = try record.decode()
        id = try record.decodeID()
    }

    func _$load(from record: inout RecordDecoder) throws {
        let name: String = try record.decode()
        let balance: Int = try record.decode(default: 0)
        let note: String? = try record.decode()
        (_name, _balance, _note) = (name, balance, note)
    }

    func _$encode(into record: inout RecordEncoder) throws {
        try record.encode(_name)
        try record.encode(_balance)
        try record.encode(_note)
    }

    func _$needs(_ change: _RelationshipChange, of field: Int) throws -> Bool { false }
    func _$change(_ change: _RelationshipChange, of field: Int) throws {}
    func _$targets(of field: Int) -> [AnyReference] { [] }
    func _$appendHeld(to objects: inout [any LiveModel]) {}
    func _$releaseHeld() {}

    func validate() throws { try hooks.validate?(self) }
    func willSave() throws { try hooks.willSave?(self) }
    func didSave() { hooks.didSave?(self) }
    func didDelete() { hooks.didDelete?(self) }
    func didLoad() { loadCount += 1 }
}

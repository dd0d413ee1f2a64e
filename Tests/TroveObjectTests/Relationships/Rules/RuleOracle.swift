import Trove

/// The rules of relationships once more, on plain dictionaries and without a thought of speed: what the store is compared with.
struct RuleOracle: Equatable {
    struct Object: Hashable, Comparable, CustomStringConvertible {
        let model: String
        let id: Int
        var description: String { "\(model)\(id)" }
        static func < (left: Object, right: Object) -> Bool { (left.model, left.id) < (right.model, right.id) }
    }

    /// One reference, with its name in a collection by name.
    struct Entry: Hashable {
        var name = ""
        let target: Object
    }

    struct Field: Hashable {
        let model: String
        let name: String
    }

    struct Rule: Equatable {
        let field: Field
        let shape: RelationshipShape
        /// nil for any model.
        let target: String?
        var rule = DeleteRule.nullify
        var targetRule = TargetDeleteRule.nullify
        var inverse: Field?

        var owns: Bool { rule == .cascade || rule == .cascadeWhenUnreferenced }
        var isToOne: Bool { shape == .optionalOne || shape == .requiredOne }
    }

    struct Denied: Error {}

    typealias Values = [String: [Entry]]

    struct Save {
        let object: Object
        let values: Values
    }

    fileprivate struct Orphan: Hashable {
        let object: Object
        let rule: DeleteRule
    }

    fileprivate struct Onesided: Hashable {
        let field: Field
        let source: Object
        let target: Object
    }

    static func == (left: RuleOracle, right: RuleOracle) -> Bool { left.records == right.records }

    let rules: [Rule]
    private(set) var records: [Object: Values] = [:]
    private var orphans: Set<Orphan> = []
    private var onesided: Set<Onesided> = []

    init(_ rules: [Rule]) { self.rules = rules }

    func rules(of model: String) -> [Rule] { rules.filter { $0.field.model == model } }

    func rule(_ field: Field) -> Rule { rules.first { $0.field == field }! }

    func targets(_ object: Object, _ field: String) -> [Object] { (records[object]?[field] ?? []).map(\.target) }

    /// Whether an object points at another through a relationship.
    private func points(_ source: Object, _ rule: Rule, at target: Object) -> Bool {
        source.model == rule.field.model && targets(source, rule.field.name).contains(target)
    }

    // MARK: Saving

    /// Saves of one batch.
    mutating func save(_ saves: [Save]) {
        let before = records
        /// By the two ends of a link, that of the field that comes first first: when a save changed it last.
        var times: [[Onesided]: Int] = [:]
        var found: [[Onesided]] = []
        var time = 0
        var saved: [Object] = []
        for save in saves {
            let old = records[save.object] ?? [:]
            records[save.object] = save.values
            if !saved.contains(save.object) { saved.append(save.object) }
            for rule in rules(of: save.object.model) {
                let (was, now) = ((old[rule.field.name] ?? []).map(\.target), (save.values[rule.field.name] ?? []).map(\.target))
                for target in Set(was).subtracting(now) where rule.owns { orphans.insert(Orphan(object: target, rule: rule.rule)) }
                guard rule.inverse != nil else { continue }
                // In the order of the ids what is gone, which no order shows, and in that of the references what is new.
                for target in unique(was).filter({ !now.contains($0) }) {
                    time += 1
                    times[link(rule, save.object, target)] = time
                }
                for target in inNotedOrder(now.filter { !was.contains($0) }, rule) {
                    time += 1
                    times[link(rule, save.object, target)] = time
                }
            }
        }
        let created = saved.filter { before[$0] == nil }
        for object in created.sorted() {
            for rule in rules(of: object.model) {
                guard let inverse = rule.inverse else { continue }
                for source in records.keys.sorted() where points(source, self.rule(inverse), at: object) {
                    found.append(link(self.rule(inverse), source, object))
                }
            }
        }
        settleLinks(times, found, before)
    }

    private func unique(_ objects: [Object]) -> [Object] {
        var known: Set<Object> = []
        return objects.filter { known.insert($0).inserted }
    }

    /// References of sets have the order of their bytes.
    private func inNotedOrder(_ objects: [Object], _ rule: Rule) -> [Object] { rule.shape == .set ? unique(objects).sorted() : unique(objects) }

    /// Both ends of a link, in an order of their own.
    private func link(_ rule: Rule, _ source: Object, _ target: Object) -> [Onesided] {
        let ends = [
            Onesided(field: rule.field, source: source, target: target), Onesided(field: rule.inverse!, source: target, target: source),
        ]
        return ends.sorted { ($0.field.model, $0.field.name, $0.source) < ($1.field.model, $1.field.name, $1.source) }
    }

    private mutating func settleLinks(_ times: [[Onesided]: Int], _ found: [[Onesided]], _ before: [Object: Values]) {
        func had(_ end: Onesided) -> Bool { (before[end.source]?[end.field.name] ?? []).contains { $0.target == end.target } }
        func has(_ end: Onesided) -> Bool { targets(end.source, end.field.name).contains(end.target) }
        var times = times
        var dropped: [[Onesided]] = []
        for (place, link) in found.enumerated() where times[link] == nil { times[link] = place - 1_000_000 }
        var taken: [[AnyHashable]: Object] = [:]
        var kept: [[Onesided]] = []
        for (link, _) in times.sorted(by: { $0.value > $1.value }) {
            let isAdded = link.contains { has($0) && !had($0) } || found.contains(link)
            guard isAdded else {
                if link.contains(where: { had($0) && !has($0) }) { dropped.append(link) }
                continue
            }
            let ends = link.filter { rule($0.field).isToOne }
            if ends.contains(where: { end in taken[[end.field, end.source]].map { $0 != end.target } ?? false }) {
                dropped.append(link)
            } else {
                for end in ends { taken[[end.field, end.source]] = end.target }
                kept.append(link)
            }
        }
        var former: [Onesided] = []
        for end in kept.joined() where rule(end.field).isToOne && !has(end) && records[end.source] != nil {
            for target in targets(end.source, end.field.name) where target != end.target {
                former.append(Onesided(field: rule(end.field).inverse!, source: target, target: end.source))
            }
        }
        for end in dropped.joined() { take(end.target, outOf: end.source, end.field, unless: had(end) && !has(end)) }
        for end in former { take(end.target, outOf: end.source, end.field, unless: false) }
        for end in kept.reversed().joined() where !has(end) { put(end.target, into: end.source, end.field) }
        // What was overwritten with another target was not left behind.
        onesided = onesided.filter { targets($0.source, $0.field.name).contains($0.target) }
    }

    private mutating func put(_ target: Object, into source: Object, _ field: Field) {
        guard records[source] != nil else { return }
        let old = records[source]![field.name] ?? []
        let isToOne = rule(field).isToOne
        if rule(field).owns, isToOne {
            for entry in old where entry.target != target { orphans.insert(Orphan(object: entry.target, rule: rule(field).rule)) }
        }
        if isToOne { records[source]![field.name] = [Entry(target: target)] } else if !old.contains(where: { $0.target == target }) {
            records[source]![field.name] = old + [Entry(target: target)]
        }
    }

    private mutating func take(_ target: Object, outOf source: Object, _ field: Field, unless isDone: Bool, noting: Bool = true) {
        guard !isDone, let old = records[source]?[field.name], old.contains(where: { $0.target == target }) else { return }
        if rule(field).shape == .requiredOne {
            onesided.insert(Onesided(field: field, source: source, target: target))
            return
        }
        records[source]![field.name] = old.filter { $0.target != target }
        if noting, rule(field).owns { orphans.insert(Orphan(object: target, rule: rule(field).rule)) }
    }

    // MARK: Deleting

    /// Deletes objects, judged together; returns how many there were.
    @discardableResult
    mutating func delete(_ objects: [Object]) throws -> Int {
        let requested = Set(objects.filter { records[$0] != nil })
        try delete(requested, reasons: [:], keepsWaiting: true)
        return requested.count
    }

    private mutating func delete(_ requested: Set<Object>, reasons: [Object: Set<DeleteRule>], keepsWaiting: Bool) throws {
        var doomed = requested
        var reasons = reasons
        var hasGrown = true
        while hasGrown {
            let count = doomed.count
            for object in doomed {
                for rule in rules(of: object.model) where rule.owns {
                    for target in targets(object, rule.field.name) { reasons[target, default: []].insert(rule.rule) }
                }
            }
            for (source, _) in records {
                for rule in rules(of: source.model) where rule.targetRule == .cascade {
                    if targets(source, rule.field.name).contains(where: doomed.contains) { doomed.insert(source) }
                }
            }
            for (object, reasons) in reasons where records[object] != nil && !doomed.contains(object) {
                let keepers = records.keys.filter { $0 != object && !doomed.contains($0) }
                let isOwned = keepers.contains { keeper in rules.contains { $0.owns && points(keeper, $0, at: object) } }
                let isReferenced = keepers.contains { keeper in rules.contains { points(keeper, $0, at: object) } }
                if reasons.contains(.cascade) && !isOwned || reasons.contains(.cascadeWhenUnreferenced) && !isReferenced { doomed.insert(object) }
            }
            hasGrown = doomed.count > count
        }
        for (source, _) in records {
            for rule in rules(of: source.model) {
                for target in targets(source, rule.field.name) where records[target] != nil {
                    if rule.rule == .deny, doomed.contains(source), !doomed.contains(target) { throw Denied() }
                    if rule.targetRule == .deny, !doomed.contains(source), doomed.contains(target) { throw Denied() }
                }
            }
        }
        for source in records.keys where !doomed.contains(source) {
            for rule in rules(of: source.model) where rule.targetRule == .nullify {
                if let inverse = rule.inverse, self.rule(inverse).rule == .noAction { continue }
                for target in targets(source, rule.field.name) where doomed.contains(target) {
                    take(target, outOf: source, rule.field, unless: false, noting: false)
                }
            }
        }
        for object in doomed { records[object] = nil }
        guard keepsWaiting else { return }
        for (object, reasons) in reasons where reasons.contains(.cascadeWhenUnreferenced) && records[object] != nil {
            orphans.insert(Orphan(object: object, rule: .cascadeWhenUnreferenced))
        }
    }

    // MARK: Ends of transactions and savepoints

    /// What a savepoint has to look at at its end.
    struct Noted {
        fileprivate let orphans: Set<Orphan>
        fileprivate let onesided: Set<Onesided>
    }

    /// Begins a savepoint, and lays aside what was noted before it.
    mutating func beginSavepoint() -> Noted {
        defer { (orphans, onesided) = ([], []) }
        return Noted(orphans: orphans, onesided: onesided)
    }

    mutating func endSavepoint(_ noted: Noted) throws {
        try settle()
        orphans.formUnion(noted.orphans)
        onesided.formUnion(noted.onesided)
    }

    /// Ends a transaction or a savepoint.
    mutating func settle() throws {
        repeat {
            let noted = orphans
            orphans = []
            var reasons: [Object: Set<DeleteRule>] = [:]
            for orphan in noted { reasons[orphan.object, default: []].insert(orphan.rule) }
            try delete([], reasons: reasons, keepsWaiting: false)
            let left = onesided
            onesided = []
            for end in left.sorted(by: { ($0.target, $0.source) < ($1.target, $1.source) }) {
                guard let inverse = rule(end.field).inverse, !rule(inverse).isToOne else { continue }
                if targets(end.source, end.field.name).contains(end.target) { put(end.source, into: end.target, inverse) }
            }
        } while !orphans.isEmpty
    }

    // MARK: Checking

    /// What points at what without being pointed back at; references to objects that are not there do not count.
    var asymmetries: [String] {
        records.keys.sorted().flatMap { source in
            rules(of: source.model).flatMap { rule -> [String] in
                guard let inverse = rule.inverse else { return [] }
                return targets(source, rule.field.name)
                    .filter { records[$0] != nil && !targets($0, inverse.name).contains(source) }
                    .map { "\(source).\(rule.field.name) has \($0)" }
            }
        }
    }
}

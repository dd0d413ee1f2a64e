/// What `@Model` read from a struct or class: all that its expansion is written from.
struct ModelDeclaration {
    /// The name its records are stored under.
    var storedName: String
    var version: Int
    /// The access modifier that the generated members need, with a space after it, or nothing.
    var access: String
    /// Whether it is inside another type, whose names its extensions do not see.
    var isNested: Bool
    var kind: ModelSubject.Kind
    /// The type's own name, with its backticks.
    var modelName: String
    /// Whether it is a superclass of models, of which there are no records.
    var isAbstract = false
    /// The type that the compiler has to find to be no class, or an abstract model.
    var possibleSuperclass: String?
    /// The abstract model that it inherits, as the compiler found.
    var superclass: String?
    /// The stored properties in the order of declaration, transient ones left out.
    var properties: [StoredProperty] = []
    /// Whether anything was reported. What is written then is for the compiler, which finds the model in order where it is used, and never runs.
    var hasMistakes = false
    /// The names of properties with mistakes, which are no fields.
    var leftOut: Set<String> = []
    var identity: Identity?
    /// The indexes that attributes and macros declare.
    var indexes: [IndexDeclaration] = []
    /// Whether it declares an `id`, stored or computed.
    var declaresID = false
    /// Whether the `id` that it declares is computed.
    var computesID = false
    /// Whether it declares a type `ID` and no `id` of that type: a mistake.
    var hasForeignID = false
    /// Whether it is a class without an initializer, which is given the one that Swift would write.
    var writesInitializer = false
    /// Whether it declares an initializer; a struct then has no memberwise one.
    var declaresInitializer = false
    /// Whether it declares one that is not a convenience initializer, so that it inherits none.
    var declaresDesignatedInitializer = false
    /// The members that it writes by hand.
    var handwritten: Set<ModelMember> = []

    /// What is stored in the record, but for what a superclass has before it; the id is its key.
    var fields: [StoredProperty] { properties.filter { !$0.isID && !leftOut.contains($0.name) } }

    /// Whether the id is one that the macro makes.
    var hasGeneratedID: Bool { identity == nil && !declaresID && superclass == nil }

    /// Whether the id is a computed property, or may be one that is inherited: its key path tells no name.
    var hasComputedID: Bool { identity != nil || computesID || superclass != nil || kind == .live && hasGeneratedID && !hasForeignID }

    /// Whether it inherits the initializers of its superclass, `init(from:)` among them: all that it adds has a value before it is read.
    var inheritsInitializers: Bool {
        superclass != nil && !declaresDesignatedInitializer
            && properties.allSatisfy { $0.isID || !$0.isConstant && ($0.valueWithoutField != nil || $0.content == .objects) }
    }

    /// Whether `init(from:)` calls a function in the braces, because default values may name what is only visible there.
    var decodesInBraces: Bool {
        isNested && !hasMistakes && !declaresInitializer && !handwritten.contains(.decoder) && fields.contains { $0.hasDefault }
    }
}
